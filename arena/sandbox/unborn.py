"""Clears away sandboxes that never came to be.

Bubblewrap's launcher lets its init go on by a word, and from a moment before that it dies with us.
Killed in that moment, it leaves an init behind that waits for the word for ever: no bot, nothing
that runs, but a process. Our own death has to fall within the first milliseconds of a start for
it, and nothing in bubblewrap prevents it; so the first start of every harness process looks for
such orphans of earlier ones.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path

from arena.process import status_of

LAUNCHER = "bwrap"


def sweep(mark: str) -> int:
    """Kills every orphaned init of ours, known by `mark` in its command line; returns how many."""
    count = 0
    for pid in _orphans(mark.encode()):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
            count += 1
    return count


def _orphans(mark: bytes) -> Iterator[int]:
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        with contextlib.suppress(OSError, KeyError):
            folder = Path("/proc", entry)
            if folder.stat().st_uid == os.getuid() and mark in (folder / "cmdline").read_bytes():
                status = status_of(entry)
                is_init = status["NSpid"].split()[1:] == ["1"]
                if is_init and status_of(status["PPid"])["Name"] != LAUNCHER:
                    yield int(entry)
