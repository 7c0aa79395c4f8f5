"""Where things are remembered between runs: built bots, capability reports."""

import errno
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs

from arena.errors import ConfigError

_MEND = "set XDG_CACHE_HOME to a folder in which you may write"

_OF_A_PLACE = frozenset(
    {
        errno.EACCES,
        errno.EPERM,
        errno.EROFS,
        errno.ENOSPC,
        errno.EDQUOT,
        errno.EIO,
        errno.ENOENT,
        errno.ENOTDIR,
        errno.EEXIST,
    }
)
"""Refusals that another place would not make."""


def cache_folder() -> Path:
    """The user's own folder for it, which may be deleted at any time. Raises ConfigError."""
    try:
        folder = platformdirs.user_cache_path("callbreak-arena")
    except RuntimeError:  # neither HOME nor the list of accounts names one
        raise ConfigError("there is no home folder to keep the cache in", mend=_MEND) from None
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            f"the cache cannot be made: {error.strerror or error}", where=str(folder), mend=_MEND
        ) from error
    return folder


@contextmanager
def keeping_in(folder: Path) -> Iterator[None]:
    """What the folder of the cache refuses to keep in this block becomes a ConfigError."""
    try:
        yield
    except OSError as error:
        if error.errno not in _OF_A_PLACE:
            raise
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        raise ConfigError(
            f"the cache cannot be written: {error.strerror}",
            where=str(folder),
            mend=f"make room there, or {_MEND}" if full else _MEND,
        ) from error


@contextmanager
def making_in(folder: Path, prefix: str) -> Iterator[Path]:
    """A path below the folder, which exists, for something to be made at and then renamed.

    Whatever is left there at the end is removed. Raises as `keeping_in` does.
    """
    with keeping_in(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(
            prefix=prefix, dir=folder, ignore_cleanup_errors=True
        ) as temporary:
            yield Path(temporary, "made")
