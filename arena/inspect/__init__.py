"""The inspector behind `arena check`: plays scripted matches with a bot, says what it finds."""
