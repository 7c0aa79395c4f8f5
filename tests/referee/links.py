"""Links, seats and tables for the referee's tests: real processes without a sandbox."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.games.callbreak.game import Callbreak
from arena.process import Process, spawn
from arena.records import BotId
from arena.referee.api import RefereeRules, Table, TimeLimits
from arena.referee.hosting import dismiss, greet
from arena.referee.seat import Seat
from arena.sandbox.api import Limits, Program, Sandbox
from arena.sandbox.unconfined import Unconfined
from arena.tournament.clock import SteadyClock

PYTHON = os.path.realpath(sys.executable)
VILLAINS = Path(__file__).parent.parent / "villains"


def start(
    command: Sequence[str], *, sandbox: Sandbox | None = None, core: int | None = None
) -> Process:
    """A bot as a plain process, or in a sandbox."""
    program = Program(folder=VILLAINS, argv=tuple(command), core=core)
    return spawn((sandbox or Unconfined()).launch(program, Limits()))


CLOCK = SteadyClock()
GAME = Callbreak()


def python_bot(name: str, *arguments: str) -> list[str]:
    """The command line of a villain (or the fair bot) of tests/villains."""
    return [PYTHON, "-S", "-E", f"{name}.py", *arguments]


def a_table(
    *,
    deals: int = 1,
    rules: RefereeRules | None = None,
    match: str = "m1",
    seed: str = "7",
    variant: str = "master",
) -> Table:
    return Table(
        match=match,
        set="s1",
        game=GAME,
        variant=GAME.variant(variant, {"deals": deals}),
        seed=seed,
        seats=tuple(BotId(f"bot{seat}", "1", "00") for seat in range(4)),
        players=("p0", "p1", "p2", "p3"),
        seat_seeds=(10, 11, 12, 13),
        started="2024-01-01T00:00:00Z",
        rules=rules or RefereeRules(),
    )


@contextlib.contextmanager
def seated(
    commands: Sequence[Sequence[str]],
    limits: TimeLimits | None = None,
    sandbox: Sandbox | None = None,
) -> Iterator[list[Seat]]:
    """Greeted bots that are gone when the block is left."""
    limits = limits or TimeLimits()
    links = [start(command, sandbox=sandbox) for command in commands]
    seats = greet(
        links,
        [f"bot{number}" for number in range(len(links))],
        GAME.name,
        GAME.variant("master"),
        limits,
        CLOCK,
    )
    try:
        yield seats
    finally:
        dismiss(seats, CLOCK, limits.grace_ms)
