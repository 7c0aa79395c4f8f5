"""Files in folders that an author or a build filled: handled without following one link of theirs.

Theory of operation. A name in such a folder may be a link to any file of the organiser, or become
one between two looks. So a folder is entered by descriptor, one name at a time and never through a
link; what is written is new (`O_EXCL`); what is read, changed or given away is the very inode that
was looked at (`/proc/self/fd`).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from arena.errors import ConfigError

MAX_DEPTH = 100
"""So deep may folders nest, a bot's own and what its build leaves."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def open_file(path: Path) -> BinaryIO:
    """The file, open to be read; a link, a pipe or a device in its place is a ConfigError.

    Raises OSError if it cannot be opened.
    """
    kind = path.lstat().st_mode
    if stat.S_ISREG(kind):
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        if stat.S_ISREG(os.fstat(fd).st_mode):
            return os.fdopen(fd, "rb")
        os.close(fd)
    raise ConfigError("is no longer a file", where=str(path), mend="start again")


def write_new(folder: Path, name: str, content: bytes) -> None:
    """The file `name` below `folder` is new and holds the content. Raises ConfigError if a file,
    a link or anything else of that name is there."""
    *above, last = PurePosixPath(name).parts
    fd = os.open(folder, _FOLDER)
    try:
        for part in above:
            fd = _entered(fd, part)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(last, flags, 0o644, dir_fd=fd), "wb") as file:
            os.fchmod(file.fileno(), 0o644)
            file.write(content)
    except (FileExistsError, NotADirectoryError):
        raise ConfigError(
            f"has a file `{name}`, which is the name of a file of its adapter",
            where=str(folder),
            mend="give it another name",
        ) from None
    finally:
        os.close(fd)


def _entered(parent: int, name: str) -> int:
    """The folder of that name, made if need be; closes `parent` once it is there."""
    with suppress(FileExistsError):
        os.mkdir(name, 0o755, dir_fd=parent)
    inner = os.open(name, _FOLDER, dir_fd=parent)
    os.close(parent)
    return inner


def settle(folder: Path) -> None:
    """All below is ours, readable by all and writable by us alone; no device, pipe or socket is
    left. Raises ConfigError if folders nest deeper than MAX_DEPTH."""
    with _held(str(folder), None) as fd:
        _settle(fd, os.fstat(fd), 0)


def _settle(fd: int, status: os.stat_result, depth: int) -> None:
    itself = f"/proc/self/fd/{fd}"
    if os.getuid() == 0:
        os.chown(itself, 0, 0)
    if not stat.S_ISDIR(status.st_mode):
        os.chmod(itself, 0o755 if status.st_mode & 0o100 else 0o644)
        return
    if depth > MAX_DEPTH:
        raise ConfigError(f"folders nest deeper than {MAX_DEPTH}")
    os.chmod(itself, 0o755)
    for name in os.listdir(itself):
        with _held(name, fd) as inner:
            _settle_entry(name, fd, inner, depth + 1)


def _settle_entry(name: str, parent: int, fd: int, depth: int) -> None:
    status = os.fstat(fd)
    if stat.S_ISDIR(status.st_mode) or stat.S_ISREG(status.st_mode):
        _settle(fd, status, depth)
    elif not stat.S_ISLNK(status.st_mode):
        os.unlink(name, dir_fd=parent)
    elif os.getuid() == 0:
        os.chown(name, 0, 0, dir_fd=parent, follow_symlinks=False)


@contextmanager
def _held(name: str, parent: int | None) -> Iterator[int]:
    """A descriptor that stands for what has that name now, a link itself included."""
    fd = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
    try:
        yield fd
    finally:
        os.close(fd)
