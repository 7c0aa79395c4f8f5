"""One core for each table: whoever plays pins itself and its bots to it.

A worker of the local pool is told its core. Every other process that plays (`arena match`, `check`,
`bench`, `play`, `decide`, a player of a cluster) knows nothing of its neighbours. So it claims the
first core on whose file among the temporary things (scratch.py) it gets an exclusive lock; the lock
goes with the process, however it ends, and the file goes with the claim or is swept. Where all are
taken, tables share cores: no bot is ever left free to run on all of them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from arena.errors import ConfigError
from arena.scratch import leave_place, lock_file, scratch_place

_ATTEMPTS = 16


def spread(tables: int) -> list[int]:
    """The core of each table: one of its own as far as there are any, then shared evenly."""
    cores = sorted(os.sched_getaffinity(0))
    return [cores[table % len(cores)] for table in range(tables)]


@contextmanager
def own_core(folder: Path | None = None) -> Iterator[int]:
    """The core of this process's table; the calling thread is pinned to it in the block."""
    before = os.sched_getaffinity(0)
    cores = sorted(before)
    claim = _claim(cores, folder)
    core = claim.core if claim else cores[os.getpid() % len(cores)]
    try:
        os.sched_setaffinity(0, {core})
        yield core
    finally:
        with suppress(OSError):  # the machine's cores can have changed meanwhile
            os.sched_setaffinity(0, before)
        if claim:
            claim.give_up()
        if folder is None:
            leave_place()


@dataclass(frozen=True, slots=True)
class _Claim:
    """A core that is this table's alone while `lock`, a descriptor of `file`, is open."""

    core: int
    file: Path
    lock: int

    def give_up(self) -> None:
        with suppress(OSError):
            self.file.unlink()
        os.close(self.lock)


def _claim(cores: Sequence[int], folder: Path | None) -> _Claim | None:
    """The first core that nobody else has; None if all are taken, or cannot be told apart."""
    for _ in range(_ATTEMPTS):
        try:
            place = folder or scratch_place()
            if place.stat().st_uid != os.getuid():
                return None  # somebody else's folder
        except (OSError, ConfigError):
            return None  # a full disk, say
        for core in cores:
            if (lock := lock_file(file := place / f"core-{core}")) is not None:
                return _Claim(core, file, lock)
        if place.is_dir():
            return None
    return None  # whoever is last to leave removes the place; it went under us each time
