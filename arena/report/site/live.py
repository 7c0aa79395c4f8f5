"""What the live page shows while a run goes on: progress, board, the latest faults.

Theory of operation. The run's thread hands in records and goes on at once; they wait in a queue.
Whoever serves the page asks for a snapshot now and then, and only that makes the board anew, so
that a quick run is not slowed down by its spectators.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any

from arena.ratings.api import Rated, Rating
from arena.report.board_grid import board_grid
from arena.report.elo_scale import scale_of
from arena.report.escape import visible
from arena.report.grid import Column
from arena.report.leaderboard import Leaderboard, build_leaderboard
from arena.report.matches import Matches

FAULTS_SHOWN = 30
_NEED_SHOWN = 10
"""Columns of the board that matter less than this are left to the pages made afterwards."""


@dataclass(frozen=True, slots=True)
class Event:
    """A finished match, or the reason for a void one."""

    record: Mapping[str, Any] | None
    void: str = ""


@dataclass(slots=True)
class LiveRun:
    """A run under way. `add`, `add_void` and `finish` may be called from another thread."""

    title: str
    total: int
    system: Rating
    clock: Callable[[], float] = time.monotonic
    _events: SimpleQueue[Event] = field(default_factory=SimpleQueue)
    _matches: Matches = field(default_factory=Matches)
    _faults: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=FAULTS_SHOWN))
    _voids: deque[str] = field(default_factory=lambda: deque(maxlen=FAULTS_SHOWN))
    _counts: dict[str, int] = field(
        default_factory=lambda: {"done": 0, "played": 0, "faults": 0, "voids": 0}
    )
    _began: float = 0.0
    _finished: bool = False
    _version: int = 0

    def begin(self, earlier: Iterable[Mapping[str, Any]]) -> None:
        """Takes in what was played before; the clock for speed and rest starts here."""
        for record in earlier:
            self._take(record)
        self._began = self.clock()

    def add(self, record: Mapping[str, Any]) -> None:
        """A match has been finished."""
        self._events.put(Event(record))

    def add_void(self, reason: str) -> None:
        """A match was void and will be played again."""
        self._events.put(Event(None, reason))

    def finish(self) -> None:
        """The run has ended, or was stopped."""
        self._finished = True
        self._events.put(Event(None))

    def snapshot(self, known: int) -> dict[str, Any] | None:
        """Everything the page shows, JSON-ready; None if nothing changed since version `known`.

        Must be called from one thread only.
        """
        self._drain()
        if known == self._version:
            return None
        board = build_leaderboard(self._matches, [self.system])
        return {
            "version": self._version,
            "title": visible(self.title),
            **self._counts,
            "total": self.total,
            "left_s": self._left_s(),
            "finished": self._finished,
            "board": board_data(board) if board.rows else None,
            "latest_faults": list(self._faults)[::-1],
            "latest_voids": list(self._voids)[::-1],
        }

    def _drain(self) -> None:
        while True:
            try:
                event = self._events.get_nowait()
            except Empty:
                return
            self._version += 1
            if event.record is not None:
                self._take(event.record)
                self._counts["played"] += 1
            elif event.void:
                self._counts["voids"] += 1
                self._voids.append(visible(event.void))

    def _take(self, record: Mapping[str, Any]) -> None:
        self._version += 1
        self._counts["done"] += 1
        self._matches.gather([("", record)])
        for fault in record.get("faults") or ():
            self._counts["faults"] += 1
            self._faults.append(_fault(record, fault))

    def _left_s(self) -> float | None:
        played = self._counts["played"]
        if self._finished or not played:
            return None
        return (self.total - self._counts["done"]) * (self.clock() - self._began) / played


def _fault(record: Mapping[str, Any], fault: Mapping[str, Any]) -> dict[str, Any]:
    place = f"match {record['match']}"
    if fault.get("deal"):
        place += f", deal {fault['deal']}"
    if fault.get("trick"):
        place += f", trick {fault['trick']}"
    return {
        "bot": visible(record["seats"][fault["seat"]]["bot"]),
        "kind": visible(str(fault["kind"])),
        "place": visible(place),
        "detail": visible(str(fault.get("detail", ""))),
        "arrived": visible(str(fault.get("arrived", ""))),
    }


def board_data(board: Leaderboard) -> dict[str, Any]:
    """The board as text and figures: columns, cells, and where each error bar lies in percent."""
    columns = [c for c in board_grid(board).columns if c.need < _NEED_SHOWN]
    scale = scale_of([row.rated for row in board.rows])

    def percent(elo: float) -> float:
        return round(100 * (elo - scale.low) / (scale.high - scale.low), 2)

    def bar(rated: Rated) -> dict[str, float]:
        low, high = scale.ends(rated)
        return {"low": percent(low), "mean": percent(rated.elo), "high": percent(high)}

    return {
        "columns": [{"heading": c.heading, "left": c.left} for c in columns],
        "rows": [_cells(columns, n) for n in range(len(board.rows))],
        "bars": [bar(row.rated) for row in board.rows],
    }


def _cells(columns: Sequence[Column], row: int) -> list[str]:
    return [visible(column.cells[row]) for column in columns]
