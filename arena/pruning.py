"""How large the cache is, and cutting it without taking anything from under who uses it."""

from __future__ import annotations

import fcntl
import os
import re
import stat
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from arena import scratch
from arena.cache import KINDS, held_in, locked
from arena.errors import ConfigError
from arena.removal import remove_tree

_ENTRY = re.compile(r"[0-9a-f]{32}(\.failed\.log)?|[0-9a-f]{64}|[\w-]+\.json")
"""What entries are called: copies and the logs of failed builds, bundles, reports and profiles."""

_BLOCK_BYTES = 512


@dataclass(frozen=True, slots=True)
class Entry:
    """A thing in the cache, of one of KINDS. `used` is when somebody last took it (Unix time)."""

    kind: str
    path: Path
    size_bytes: int
    used: float
    held: bool


def entries(cache: Path) -> tuple[Entry, ...]:
    """All that is in the cache, what was used longest ago first."""
    found = (entry for kind in KINDS for entry in _entries(cache / kind, kind))
    return tuple(sorted(found, key=lambda entry: (entry.used, entry.path)))


def prune(
    cache: Path, *, unused_s: float | None = None, most_bytes: int | None = None
) -> tuple[Entry, ...]:
    """The entries that it removed: what was used longest ago first, and nothing that is held.

    `unused_s`: only what nobody used for so long; `most_bytes`: only until no more than that is
    left; all of them without either. Raises ConfigError where the cache cannot be locked.
    """
    removed = []
    known = entries(cache)
    left_bytes = sum(entry.size_bytes for entry in known)
    youngest = None if unused_s is None else time.time() - unused_s
    for entry in known:
        if youngest is not None and entry.used > youngest:
            break
        if most_bytes is not None and left_bytes <= most_bytes:
            break
        if not entry.held and _remove(entry.path):
            removed.append(entry)
            left_bytes -= entry.size_bytes
    return tuple(removed)


def _remove(path: Path) -> bool:
    """True if the entry is gone; False if somebody took it meanwhile."""
    going = path.with_name(f"pruned-{scratch.owner()}-{uuid.uuid4().hex[:12]}")
    with locked(path.parent, fcntl.LOCK_EX) as granted:
        if not granted:
            raise ConfigError(
                "this file system has no locks, so that what is in use cannot be told",
                where=str(path.parent),
                mend="end all runs and delete the folder",
            )
        if path.name in held_in(path.parent):
            return False
        try:
            path.rename(going)
        except FileNotFoundError:
            return False
        except OSError as error:
            raise ConfigError(f"cannot be removed: {error.strerror}", where=str(path)) from error
    with suppress(OSError):  # what cannot be removed now is swept later
        remove_tree(going)
    return True


def _entries(folder: Path, kind: str) -> Iterator[Entry]:
    if not folder.is_dir():
        return
    held = held_in(folder)
    for path in folder.iterdir():
        if _ENTRY.fullmatch(path.name):
            with suppress(FileNotFoundError):
                used = path.lstat().st_mtime
                yield Entry(kind, path, _size(path), used, path.name in held)


def _size(path: Path) -> int:
    """What a file or a folder takes on the disk; what cannot be looked into counts as nothing."""
    total = 0
    left = [str(path)]
    while left:
        with suppress(OSError):
            status = os.lstat(each := left.pop())
            total += status.st_blocks * _BLOCK_BYTES
            if stat.S_ISDIR(status.st_mode):
                left += (entry.path for entry in os.scandir(each))
    return total
