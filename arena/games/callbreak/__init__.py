"""Callbreak (Lakdi, Lakadi): the rules."""
