"""Where things are remembered between runs: built bots, capability reports."""

from pathlib import Path

import platformdirs

from arena.errors import ConfigError


def cache_folder() -> Path:
    """The user's own folder for it, which may be deleted at any time. Raises ConfigError."""
    folder = platformdirs.user_cache_path("callbreak-arena")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            f"the cache cannot be made: {error.strerror or error}",
            where=str(folder),
            mend="set XDG_CACHE_HOME to a folder in which you may write",
        ) from error
    return folder
