"""Adapters: bots written for another tournament's interface play here unchanged."""
