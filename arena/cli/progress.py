"""How a run is shown while it goes on: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from arena.tournament.plan import Outcome
from arena.tournament.runner import Listener, Tournament

PLAIN_INTERVAL_S = 5.0


class Clock(Protocol):
    """Seconds since some fixed instant."""

    def __call__(self) -> float: ...


class Counter:
    """Counts what a run has done since it was started; the text of both displays."""

    def __init__(self, done: int, total: int, deals: int) -> None:
        self.done = done
        self.total = total
        self.faults = 0
        self.voids = 0
        self.played = 0
        self.deals = deals

    def add(self, outcome: Outcome) -> None:
        """Takes a finished or void match into account."""
        if outcome.record is None:
            self.voids += 1
        else:
            self.done += 1
            self.played += 1
            self.faults += len(outcome.faults)

    def trouble(self) -> str:
        """Faults and void matches, if there are any."""
        parts = [(self.faults, "fault"), (self.voids, "void match")]
        return ", ".join(
            f"{n} {word if n == 1 else word + ('es' if word.endswith('h') else 's')}"
            for n, word in parts
            if n
        )


class BarListener:
    """A rich progress bar."""

    def __init__(self, progress: Progress, task: TaskID, counter: Counter) -> None:
        self._progress = progress
        self._task = task
        self._counter = counter

    def finished(self, outcome: Outcome) -> None:
        self._update(outcome)

    def void(self, outcome: Outcome) -> None:
        self._update(outcome)

    def _update(self, outcome: Outcome) -> None:
        self._counter.add(outcome)
        self._progress.update(
            self._task, completed=self._counter.done, trouble=self._counter.trouble()
        )


class PlainListener:
    """A line on stderr at intervals, for logs."""

    def __init__(self, counter: Counter, clock: Clock = time.monotonic) -> None:
        self._counter = counter
        self._clock = clock
        self._start = self._last = clock()

    def finished(self, outcome: Outcome) -> None:
        self._tick(outcome)

    def void(self, outcome: Outcome) -> None:
        self._tick(outcome)

    def _tick(self, outcome: Outcome) -> None:
        counter, now = self._counter, self._clock()
        counter.add(outcome)
        if now - self._last < PLAIN_INTERVAL_S and counter.done < counter.total:
            return
        self._last = now
        rate = counter.played / max(now - self._start, 1e-9)
        left = (counter.total - counter.done) / rate if rate else 0.0
        trouble = counter.trouble()
        print(
            f"{counter.done}/{counter.total} matches, {rate * counter.deals:.0f} deals/s, "
            f"{left:.0f} s left{', ' + trouble if trouble else ''}",
            file=sys.stderr,
            flush=True,
        )


class EventListener:
    """A JSON object a line on stderr's place (stdout), for programs."""

    def finished(self, outcome: Outcome) -> None:
        record = outcome.record
        assert record is not None
        self._print(
            {
                "event": "match",
                "match": record.match,
                "bots": [seat.name for seat in record.seats],
                "scores": list(record.scores),
                "ranks": list(record.ranks),
                "faults": [fault.as_dict() for fault in record.faults],
            }
        )

    def void(self, outcome: Outcome) -> None:
        self._print({"event": "void", "match": outcome.spec.match, "reason": outcome.void})

    @staticmethod
    def _print(event: dict[str, object]) -> None:
        print(json.dumps(event), flush=True)


@contextmanager
def shown(tournament: Tournament, done: int, *, events: bool) -> Iterator[Listener]:
    """The listener that fits where stderr goes; closes its display at the end."""
    deals = tournament.game.deals_of(tournament.plan.variant)
    counter = Counter(done, tournament.total, deals)
    console = Console(stderr=True)
    if events:
        yield EventListener()
    elif not console.is_terminal:
        yield PlainListener(counter)
    else:
        with _bar(console) as progress:
            task = progress.add_task("", total=tournament.total, completed=done, trouble="")
            yield BarListener(progress, task, counter)


def _bar(console: Console) -> Progress:
    return Progress(
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("[yellow]{task.fields[trouble]}"),
        console=console,
        expand=True,
    )
