"""One core for each table: whoever plays pins itself and its bots to it.

A worker of the local pool is told its core. Every other process that plays (`arena match`, `check`,
`bench`, `play`, `decide`, a player of a cluster) knows nothing of its neighbours. So it claims the
first core on whose file in the machine's temporary folder it gets an exclusive lock; the lock goes
with the process, however it ends. Where all are taken, tables share cores: no bot is ever left free
to run on all of them.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path


def spread(tables: int) -> list[int]:
    """The core of each table: one of its own as far as there are any, then shared evenly."""
    cores = sorted(os.sched_getaffinity(0))
    return [cores[table % len(cores)] for table in range(tables)]


@contextmanager
def own_core(folder: Path | None = None) -> Iterator[int]:
    """The core of this process's table; the calling thread is pinned to it in the block."""
    before = os.sched_getaffinity(0)
    cores = sorted(before)
    place = folder or Path(tempfile.gettempdir(), f"callbreak-arena-{os.getuid()}")
    core, lock = _claim(cores, place)
    try:
        os.sched_setaffinity(0, {core})
        yield core
    finally:
        with suppress(OSError):  # the machine's cores can have changed meanwhile
            os.sched_setaffinity(0, before)
        if lock >= 0:
            os.close(lock)


def _claim(cores: Sequence[int], place: Path) -> tuple[int, int]:
    """A core and the descriptor of its lock; -1 where it is shared."""
    shared = cores[os.getpid() % len(cores)]
    try:
        place.mkdir(mode=0o700, exist_ok=True)
        if place.stat().st_uid != os.getuid():
            return shared, -1  # somebody else's folder
        for core in cores:
            if (lock := _locked(place / f"core-{core}")) >= 0:
                return core, lock
    except OSError:
        pass  # a full disk, say
    return shared, -1


def _locked(path: Path) -> int:
    """The descriptor that holds an exclusive lock on the file; -1 if another one does."""
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    descriptor = os.open(path, flags, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return -1
    return descriptor
