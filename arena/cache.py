"""Where things are remembered between runs: built bots, capability reports.

Theory of operation. The cache has a folder for each kind of thing, and its entries are remade when
they are missing. So any of them may be deleted, except from under a process that is playing with
it: that process holds a *lease*, a file beside the entries that carries its owner (scratch.py) and
names what it uses. A lease is taken under a shared lock on the folder, and an entry is taken out
(`pruning.py`) under an exclusive one. What is being made carries its owner, too, and is swept.
"""

import errno
import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import platformdirs

from arena import scratch
from arena.errors import ConfigError
from arena.removal import remove_tree

KINDS = ("bots", "bundles", "sandbox")
"""The folders of the cache: private copies of bots, bots that travelled, capability reports."""

_LEASE = "lease"
_GROUP_BIT = 0o020

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


def noexec_mount(path: Path) -> Path | None:
    """Where the file system of the path is mounted, if nothing on it may be executed."""
    if not os.statvfs(path).f_flag & os.ST_NOEXEC:
        return None
    place = path.resolve()
    return next(folder for folder in (place, *place.parents) if folder.is_mount())


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
        own = f"{prefix}{scratch.owner()}-"
        temporary = Path(tempfile.mkdtemp(prefix=own, dir=folder))
        try:
            yield temporary / "made"
        finally:
            with suppress(OSError):  # what cannot be removed now is swept later
                remove_tree(temporary)


def hold(place: Path) -> bool:
    """True if the entry is there; then nobody prunes it as long as this process lives."""
    folder = place.parent
    if not folder.is_dir():
        return False
    with locked(folder, fcntl.LOCK_SH):
        if not place.exists():
            return False
        with suppress(OSError):  # nobody prunes a cache that cannot be written
            _add_line(folder / f"{_LEASE}-{scratch.owner()}", place.name)
            os.utime(place)
    return True


def _add_line(lease: Path, name: str) -> None:
    with lease.open("a+") as file:
        file.seek(0)
        if name not in file.read().split():
            file.write(f"{name}\n")


def held_in(folder: Path) -> frozenset[str]:
    """The names of the entries that living processes hold."""
    held: set[str] = set()
    for lease in folder.glob(f"{_LEASE}-*"):
        owner = scratch.owner_in(lease.name)
        if owner and not scratch.is_dead(owner):
            with suppress(OSError):
                held.update(lease.read_text().split())
    return frozenset(held)


@contextmanager
def locked(folder: Path, how: int) -> Iterator[bool]:
    """The lock of a folder is ours in this block; False where the file system has no locks."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(descriptor, how)
            granted = True
        except OSError:
            granted = False
        yield granted
    finally:
        os.close(descriptor)


def sweep() -> None:
    """What processes that are dead left behind is gone, in the temporary folder and in the cache.

    Never raises: it is in nobody's way. Costs a look into four folders, a millisecond or two.
    """
    scratch.sweep()
    with suppress(OSError, RuntimeError):
        folder = platformdirs.user_cache_path("callbreak-arena")
        for kind in KINDS:
            scratch.sweep_in(folder / kind, writable_by_others=_GROUP_BIT)
