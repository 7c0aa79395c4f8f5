"""The 2022 Callbreak tournament, whose bots are HTTP servers: its interface, in both directions."""
