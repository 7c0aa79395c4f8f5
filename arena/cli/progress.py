"""How a run is shown while it goes on: a bar and the best bots on a terminal, lines elsewhere."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from arena.games.api import has_chance
from arena.store import RunStore
from arena.tournament.plan import Outcome
from arena.tournament.prepare import Tournament
from arena.tournament.runner import Listener
from arena.tournament.standing import Standing
from arena.words import counted

PLAIN_INTERVAL_S = 5.0
TOP_INTERVAL_S = 1.0
TOP_BOTS = 5

Clock = Callable[[], float]
"""Seconds since some fixed instant."""


class Tally:
    """What a run has done: matches in the folder, and what happened since it was started."""

    def __init__(self, tournament: Tournament, store: RunStore, clock: Clock) -> None:
        self.done = store.count()
        self.total = tournament.total
        self.played = self.faults = self.voids = 0
        self.standing = Standing([bot.name for bot in tournament.plan.bots])
        for bots, ranks in store.placings(len(tournament.plan.bots)):
            self.standing.add(bots, ranks)
        self._deals = tournament.game.deals_of(tournament.plan.variant)
        self._clock = clock
        self._start = clock()

    def add(self, outcome: Outcome) -> None:
        """Takes a finished or void match into account."""
        if outcome.record is None:
            self.voids += 1
            return
        self.done += 1
        self.played += 1
        self.faults += len(outcome.faults)
        self.standing.add(outcome.spec.seats, outcome.record.ranks)

    def speed(self) -> str:
        """Deals a second since the start, and what went wrong, in words."""
        rate = self.played * self._deals / max(self._clock() - self._start, 1e-9)
        troubles = ((self.faults, "fault", "faults"), (self.voids, "void match", "void matches"))
        words = [counted(number, one, many) for number, one, many in troubles if number]
        return ", ".join([f"{rate:.0f} deals/s", *words])

    def left_s(self) -> float:
        """Seconds that the rest will take at the speed so far; 0 before the first match."""
        elapsed = self._clock() - self._start
        return (self.total - self.done) * elapsed / self.played if self.played else 0.0

    def top(self) -> str:
        """The best bots with their Elo."""
        best = self.standing.top(TOP_BOTS)
        return "  ".join(f"{place}. {bot} {elo:.0f}" for place, (bot, elo) in enumerate(best, 1))


class ScreenListener:
    """A bar with speed, faults and time left, and the best bots below it."""

    def __init__(self, tally: Tally, console: Console, clock: Clock) -> None:
        self._tally = tally
        self._clock = clock
        self._told = clock() - TOP_INTERVAL_S
        self._progress = _bar(console)
        self._task = self._progress.add_task("", total=tally.total, completed=tally.done, speed="")
        self._top = Text("", no_wrap=True, overflow="ellipsis", style="dim")
        self.display = Group(self._progress, self._top)

    def finished(self, outcome: Outcome) -> None:
        self._tally.add(outcome)
        self._progress.update(self._task, completed=self._tally.done)
        if self._clock() - self._told >= TOP_INTERVAL_S or self._tally.done == self._tally.total:
            self._told = self._clock()
            self._progress.update(self._task, speed=self._tally.speed())
            self._top.plain = self._tally.top()

    def void(self, outcome: Outcome) -> None:
        self.finished(outcome)


class PlainListener:
    """A line on stderr at intervals, for logs."""

    def __init__(self, tally: Tally, clock: Clock) -> None:
        self._tally = tally
        self._clock = clock
        self._told = clock()

    def finished(self, outcome: Outcome) -> None:
        tally = self._tally
        tally.add(outcome)
        if self._clock() - self._told >= PLAIN_INTERVAL_S or tally.done == tally.total:
            self._told = self._clock()
            print(
                f"{tally.done}/{tally.total} matches, {tally.speed()}, {tally.left_s():.0f} s left",
                file=sys.stderr,
                flush=True,
            )

    def void(self, outcome: Outcome) -> None:
        self.finished(outcome)


class EventListener:
    """A JSON object a line on stdout, for programs."""

    def __init__(self, tournament: Tournament, done: int) -> None:
        self._emit(
            {
                "event": "start",
                "bots": [bot.name for bot in tournament.plan.bots],
                "matches": tournament.total,
                "done": done,
                **_commitment(tournament),
                "sandbox": tournament.plan.sandbox,
            }
        )

    def finished(self, outcome: Outcome) -> None:
        record = outcome.record
        assert record is not None
        self._emit(
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
        self._emit({"event": "void", "match": outcome.spec.match, "reason": outcome.void})

    @staticmethod
    def _emit(event: dict[str, Any]) -> None:
        print(json.dumps(event), flush=True)


@contextmanager
def shown(
    tournament: Tournament, store: RunStore, *, events: bool, clock: Clock = time.monotonic
) -> Iterator[Listener]:
    """The listener that fits where the output goes; closes its display at the end."""
    console = Console(stderr=True)
    if events:
        yield EventListener(tournament, store.count())
    elif not console.is_terminal:
        yield PlainListener(Tally(tournament, store, clock), clock)
    else:
        screen = ScreenListener(Tally(tournament, store, clock), console, clock)
        with Live(screen.display, console=console, refresh_per_second=5):
            yield screen


def _bar(console: Console) -> Progress:
    return Progress(
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TextColumn("{task.fields[speed]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
        expand=True,
    )


def _commitment(tournament: Tournament) -> dict[str, str]:
    """What proves that nobody chose the seed; nothing in a game whose seed decides nothing."""
    return {"commitment": tournament.commitment} if has_chance(tournament.game) else {}
