"""Removing a tree, however deep it is and whatever modes it was left with.

Theory of operation. A tree that somebody else's program made can be deeper than Python recurses,
than a process has descriptors, and than a path may be long. So it is never descended into: each
folder inside is emptied of files, its own folders are moved up to the top, and it is removed. Two
descriptors are open at any time, links are never followed, and every folder is moved at most once.
"""

from __future__ import annotations

import os
import stat
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_FOLDER = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def remove_tree(path: Path) -> None:
    """Nothing is left at `path`: a file, a link (not its target), or a folder with all in it.

    Does nothing where there is nothing. Raises OSError for what the system does not let us remove.
    """
    try:
        parent = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        remove_in(parent, path.name)
    finally:
        os.close(parent)


def remove_in(parent: int, name: str) -> None:
    """As `remove_tree`, of what is called `name` in the folder that `parent` is open on."""
    if _removed_file(parent, name):
        return
    with _opened(parent, name) as top:
        moved = uuid.uuid4().hex  # a name that nothing in the tree has
        while names := os.listdir(top):
            for number, each in enumerate(names):
                _flatten(top, each, f"{moved}-{number}-")
            moved = uuid.uuid4().hex
    os.rmdir(name, dir_fd=parent)


def _flatten(top: int, name: str, prefix: str) -> None:
    """`name` is gone from `top`, and the folders in it stand in `top` under new names."""
    if _removed_file(top, name):
        return
    with _opened(top, name) as folder:
        for number, each in enumerate(os.listdir(folder)):
            if not _removed_file(folder, each):
                _move(folder, each, top, f"{prefix}{number}")
    os.rmdir(name, dir_fd=top)


def _move(folder: int, name: str, top: int, new: str) -> None:
    try:
        os.rename(name, new, src_dir_fd=folder, dst_dir_fd=top)
    except PermissionError:
        with _opened(folder, name):  # a folder that moves must be writable itself
            os.rename(name, new, src_dir_fd=folder, dst_dir_fd=top)


def _removed_file(folder: int, name: str) -> bool:
    """True if there is nothing of that name any more; False if it is a folder."""
    try:
        os.unlink(name, dir_fd=folder)
    except FileNotFoundError:
        return True
    except IsADirectoryError:
        return False
    return True


@contextmanager
def _opened(parent: int, name: str) -> Iterator[int]:
    """A descriptor of a folder, which its owner may list and change whatever its mode was."""
    place = os.open(name, os.O_PATH | _FOLDER, dir_fd=parent)
    try:
        if stat.S_IMODE(os.fstat(place).st_mode) & 0o700 != 0o700:
            os.chmod(f"/proc/self/fd/{place}", 0o700)
        folder = os.open(".", os.O_RDONLY | _FOLDER, dir_fd=place)
    finally:
        os.close(place)
    try:
        yield folder
    finally:
        os.close(folder)
