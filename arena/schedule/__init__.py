"""Schedules: who meets whom, in which seats, on which cards."""
