"""The run folder: SQLite, a single writer."""
