"""Reports: the leaderboard as text, data and pages."""
