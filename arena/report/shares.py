"""Large sources of records, read and checked by several processes.

Theory of operation. A source is cut into shares, one a process: a file by bytes, at line ends, a
run folder by the numbers of its matches. Each process gathers its share as if it were a source of
its own, and what they found is joined in order: the outcome is the same to the last digit as if one
process had read it all. Whatever is out of the ordinary (a bad line, whose number only a reader
from the start can know; a match that stands twice; a process that was killed) has one process read
it all after all.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path

from arena.errors import ArenaError
from arena.report.matches import Matches
from arena.report.record_source import LINE_LIMIT_BYTES, Located, lines_of, read_any
from arena.store import RunStore

SHARE_BYTES = 16 * 1024 * 1024
SHARE_MATCHES = 10_000
"""A smaller share is not worth starting a process."""

MOST_PROCESSES = 8
"""More gain little: joining is the work of one."""


@dataclass(frozen=True, slots=True)
class Share:
    """From `start` to `stop`: bytes of a file, or numbers of the matches of a run folder."""

    path: Path
    start: int
    stop: int


def gather_from(path: Path, matches: Matches, *, processes: int | None = None) -> None:
    """Adds every record of a run folder or a file; `processes` at most read it (one a core)."""
    most = processes or min(len(os.sched_getaffinity(0)), MOST_PROCESSES)
    shares = shares_of(path, most) if most > 1 else ()
    found = _gathered(shares) if len(shares) > 1 else None
    if found is None or _overlap([matches, *found]):
        matches.gather(read_any(path))
        return
    for each in found:
        matches.join(each)


def shares_of(path: Path, most: int) -> Sequence[Share]:
    """The source in at most so many shares of about one size; fewer, if it is small."""
    try:
        if path.is_dir():
            with RunStore.read(path) as store:
                stop = store.last_number() + 1
            return _cut(path, range(0, stop, max(1, -(-stop // most), SHARE_MATCHES)), stop)
        size = path.stat().st_size
        return _cut(path, _line_starts(path, size, max(1, -(-size // most), SHARE_BYTES)), size)
    except (ArenaError, OSError):
        return ()  # whoever reads it says what is wrong


def _cut(path: Path, starts: Sequence[int], stop: int) -> Sequence[Share]:
    return [Share(path, *bounds) for bounds in pairwise([*starts, stop])]


def _line_starts(path: Path, size: int, step: int) -> Sequence[int]:
    """Places in the file where a line begins, about `step` bytes apart."""
    starts = [0]
    with path.open("rb") as stream:
        while starts[-1] + step < size:
            stream.seek(starts[-1] + step - 1)
            stream.readline(LINE_LIMIT_BYTES + 1)
            starts.append(stream.tell())
    return starts if starts[-1] < size else starts[:-1]


def _gathered(shares: Sequence[Share]) -> list[Matches] | None:
    """What a process each found in the shares; None if one process has to read it all."""
    try:
        with ProcessPoolExecutor(len(shares), mp_context=get_context("spawn")) as pool:
            found = list(pool.map(gather_share, shares))
    except (ArenaError, OSError, BrokenProcessPool):
        return None
    return None if any(matches.bad for matches in found) else found


def _overlap(parts: Sequence[Matches]) -> bool:
    """True if a match stands in two parts: only who reads them in order can say where."""
    return len(set().union(*(part.seen for part in parts))) < sum(len(part.seen) for part in parts)


def gather_share(share: Share) -> Matches:
    """The records of one share."""
    matches = Matches()
    with uncollected():
        matches.gather(_read(share))
    return matches


@contextmanager
def uncollected() -> Iterator[None]:
    """Garbage is not looked for in the block: what is gathered holds no cycles, and is large."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _read(share: Share) -> Iterator[Located]:
    path, start, stop = share.path, share.start, share.stop
    if path.is_dir():
        with RunStore.read(path) as store:
            for record in store.briefs(range(start, stop)):
                yield f"{path} match {record.get('match')}", record
        return
    with path.open("rb") as stream:
        stream.seek(start)
        yield from lines_of(stream, str(path), begun=start > 0, length=stop - start)
