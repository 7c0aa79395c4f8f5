"""A core of one's own, without anybody who shares them out.

Several workers, each with several players, may stand on one machine and know nothing of each other.
A player claims the first core on whose file in the machine's temporary folder it gets an exclusive
lock; the lock goes with the process, however it ends. Where all are taken it plays unpinned.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def claimed_core(folder: Path | None = None) -> Iterator[int | None]:
    """A core that no other player has, and this process pinned to it; None if there is none."""
    place = folder or Path(tempfile.gettempdir(), f"callbreak-arena-{os.getuid()}")
    try:
        place.mkdir(mode=0o700, exist_ok=True)
        if place.stat().st_uid != os.getuid():
            raise PermissionError(place)
    except OSError:
        yield None  # somebody else's folder, or a full disk: play on unpinned
        return
    for core in sorted(os.sched_getaffinity(0)):
        descriptor = os.open(place / f"core-{core}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            continue
        try:
            os.sched_setaffinity(0, {core})
            yield core
        finally:
            os.close(descriptor)
        return
    yield None
