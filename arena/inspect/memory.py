"""How much memory a bot's process tree held at its peak, from the kernel's own account of it.

The kernel keeps the highest resident size of each process (`VmHWM`). Pages that are the file of a
program or library are the same for everybody and not counted against a bot, so they are taken off.
A process that has ended before we look is not seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from arena.process import Process, status_of

_SHARED = ("RssFile", "RssShmem")


def peak_memory_bytes(process: Process) -> int:
    """The sum of the peaks of all its processes that still run; 0 if none can be seen."""
    within = process.init != process.pid
    members = list(_descendants(process.init))
    return sum(map(_peak_bytes, members if within else [process.init, *members]))


def _descendants(pid: int) -> Iterator[int]:
    """All processes below `pid`. (A sandbox's init is the sandbox's own, and is not the bot.)"""
    try:
        words = [p.read_text() for p in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:
        return
    for child in map(int, " ".join(words).split()):
        yield child
        yield from _descendants(child)


def _peak_bytes(pid: int) -> int:
    try:
        fields = status_of(pid)
    except OSError:
        return 0
    peak = _size_bytes(fields.get("VmHWM"))
    return max(0, peak - sum(_size_bytes(fields.get(name)) for name in _SHARED))


def _size_bytes(text: str | None) -> int:
    return int(text.split()[0]) * 1024 if text else 0
