"""Temporary things: who made them, and how they go when their maker was killed.

Theory of operation. Whatever we make for a while carries its owner in its name: the pid, when that
process started (a pid comes back, the two together do not), and a hash of the machine and the pid
namespace in which they count. Temporary folders lie in one place, `callbreak-arena-UID` in the
system's temporary folder, which only we can write to. A killed process cleans nothing up; so every
command begins by sweeping what belongs to owners that are dead. What is not provably ours stays: a
folder of another user or one that others can write to, a link, a name of another form, an owner on
another machine or in another container.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from arena.errors import ConfigError
from arena.removal import remove_in, remove_tree

_OWNED = re.compile(r"[a-z]+-(?P<owner>\d+\.\d+\.[0-9a-f]{8})(?:-\w+)?(?:\.[a-z]+)?")
_LOCK = re.compile(r"core-\d+")
_NAMES = 8
"""So many names are tried for the place; somebody else may have taken one."""

_ATTEMPTS = 16
_MODE = 0o711  # a sandbox may run what lies inside under a uid of its own, but not list it


def owner() -> str:
    """This process, as the names of its temporary things tell it."""
    pid = os.getpid()
    return f"{pid}.{_started(pid)}.{_home()}"


def owner_in(name: str) -> str | None:
    """The owner that the name of a temporary thing tells; None if it has another form."""
    match = _OWNED.fullmatch(name)
    return match["owner"] if match else None


def is_dead(owner: str) -> bool:
    """True if that process has certainly ended; False where it cannot be seen from here."""
    pid, started, home = owner.split(".")
    return home == _home() and _started(int(pid)) != int(started)


@contextmanager
def scratch_folder(kind: str) -> Iterator[Path]:
    """A new folder of ours alone, in the system's temporary folder; gone at the end.

    `kind` is one word. Raises ConfigError if there is no place for it.
    """
    folder = new_folder(kind)
    try:
        yield folder
    finally:
        with suppress(OSError):  # what cannot be removed now is swept later
            remove_tree(folder)
        leave_place()


def new_folder(kind: str) -> Path:
    """A folder as that of `scratch_folder`, which whoever wants it removes, or else a sweep."""
    for _ in range(_ATTEMPTS):
        place = scratch_place()
        with suppress(FileNotFoundError):  # somebody swept the empty place a moment ago
            return Path(tempfile.mkdtemp(prefix=f"{kind}-{owner()}-", dir=place))
    raise ConfigError("a temporary folder cannot be made", mend="start again, or set TMPDIR")


def scratch_place() -> Path:
    """The folder in which temporary things lie, made if it was not there. Raises ConfigError."""
    for place in _places():
        with suppress(FileExistsError):
            place.mkdir(mode=0o700)
        with suppress(OSError), _opened(place) as folder:
            if stat.S_IMODE(os.fstat(folder).st_mode) != _MODE:
                os.fchmod(folder, _MODE)
            return place
    raise ConfigError(
        "no folder for temporary files can be made",
        where=str(place),
        mend="set TMPDIR to a folder in which you may write",
    )


def sweep() -> None:
    """Temporary folders of dead owners are gone, and so is the place if nothing is left in it."""
    with suppress(OSError):
        for place in _places():
            sweep_in(place)
    leave_place()


def leave_place() -> None:
    """The folder of temporary things is gone if nothing is left in it."""
    with suppress(OSError):
        for place in _places():
            with suppress(OSError):
                if _is_ours(place.lstat()):
                    place.rmdir()


def sweep_in(place: Path, writable_by_others: int = 0) -> None:
    """What dead owners left in a folder of ours is gone. Does nothing to a folder of others.

    `writable_by_others`: mode bits that the folder may have (a user's group often has some).
    """
    with suppress(OSError), _opened(place, 0o022 & ~writable_by_others) as folder:
        for name in os.listdir(folder):
            with suppress(OSError):
                if os.lstat(name, dir_fd=folder).st_uid == os.getuid():
                    _sweep_one(folder, name)


def _sweep_one(folder: int, name: str) -> None:
    if (its := owner_in(name)) and is_dead(its):
        remove_in(folder, name)
    elif _LOCK.fullmatch(name) and (claim := lock_file(name, folder)) is not None:
        try:
            os.unlink(name, dir_fd=folder)
        finally:
            os.close(claim)


def lock_file(path: Path | str, folder: int | None = None) -> int | None:
    """A descriptor with the exclusive lock of a file, made if need be; None if another has it.

    Whoever has the lock may remove the file. Closing the descriptor, or death, gives it up.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        claim = os.open(path, flags, 0o600, dir_fd=folder)
    except OSError:
        return None
    try:
        fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(claim), os.stat(path, dir_fd=folder)):
            return claim
    except OSError:  # it is another's, or was removed meanwhile by whoever had it
        pass
    os.close(claim)
    return None


def _places() -> list[Path]:
    name = f"callbreak-arena-{os.getuid()}"
    folder = Path(tempfile.gettempdir())
    return [folder / name, *(folder / f"{name}-{number}" for number in range(1, _NAMES))]


@contextmanager
def _opened(place: Path, forbidden: int = 0o022) -> Iterator[int]:
    """A descriptor of a folder that is ours alone to change. Raises OSError if it is not."""
    folder = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        if not _is_ours(os.fstat(folder), forbidden):
            raise PermissionError(place)
        yield folder
    finally:
        os.close(folder)


def _is_ours(status: os.stat_result, forbidden: int = 0o022) -> bool:
    """True for a folder of this user that has none of the forbidden mode bits."""
    alone = status.st_uid == os.getuid() and not status.st_mode & forbidden
    return alone and stat.S_ISDIR(status.st_mode)


def _started(pid: int) -> int:
    """When a process was started, in ticks since the boot; 0 if there is none, or it is dead."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return 0
    return 0 if fields[0] in "ZX" else int(fields[19])


def _home() -> str:
    """Where pids count: this machine, and the namespace of pids in it."""
    parts = [os.uname().nodename]
    with suppress(OSError):
        parts.append(Path("/etc/machine-id").read_text())
    with suppress(OSError):
        parts.append(os.readlink("/proc/self/ns/pid"))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:8]
