"""Bots: from what a person typed to a built program with an identity."""
