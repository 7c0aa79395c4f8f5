"""How Callbreak is shown to people: its replays, and the seat of a person."""
