"""Tournaments: configuration, runner, executors."""
