"""Where things are remembered between runs: built bots, capability reports."""

from pathlib import Path

import platformdirs


def cache_folder() -> Path:
    """The user's own folder for it; it may not exist yet, and may be deleted at any time."""
    return platformdirs.user_cache_path("callbreak-arena")
