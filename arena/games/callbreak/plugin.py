"""Registers Callbreak."""
