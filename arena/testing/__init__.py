"""Kits for the tests of others: games, bots, sandboxes."""
