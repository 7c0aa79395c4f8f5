"""Ratings: from match results to a leaderboard with honest error bars."""
