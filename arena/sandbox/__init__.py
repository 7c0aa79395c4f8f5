"""Sandboxes: how a stranger's program is shut in. `api` is the interface, one file a provider."""
