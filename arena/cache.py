"""Where things are remembered between runs: built bots, capability reports."""

import errno
import os
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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
        temporary = Path(tempfile.mkdtemp(prefix=prefix, dir=folder))
        try:
            yield temporary / "made"
        finally:
            with suppress(OSError):
                remove_tree(temporary)


def remove_tree(folder: Path) -> None:
    """Nothing is left of the folder, however deep it nests and whatever modes a build left in it.

    The folders of a folder are moved to the top before it is removed: no path grows long, nothing
    recurses, and no link is followed.
    """
    top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        while names := os.listdir(top):
            for name in names:
                if _is_folder_left(name, top):
                    _take_apart(name, top)
    finally:
        os.close(top)
    folder.rmdir()


def _take_apart(name: str, top: int) -> None:
    fd = _opened(name, top)
    try:
        for inner in os.listdir(fd):
            if _is_folder_left(inner, fd):
                os.close(_opened(inner, fd))  # only its owner's write bit lets it be moved
                os.rename(inner, uuid.uuid4().hex, src_dir_fd=fd, dst_dir_fd=top)
    finally:
        os.close(fd)
    os.rmdir(name, dir_fd=top)


def _is_folder_left(name: str, parent: int) -> bool:
    """False once it is unlinked; True if it is a folder, which cannot be."""
    try:
        os.unlink(name, dir_fd=parent)
    except IsADirectoryError:
        return True
    return False


def _opened(name: str, parent: int) -> int:
    """A descriptor of a folder whose mode lets us empty it now."""
    place = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=parent)
    try:
        os.chmod(f"/proc/self/fd/{place}", 0o700)
        return os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=place)
    finally:
        os.close(place)
