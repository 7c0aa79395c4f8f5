"""Links, seats and tables for the referee's tests: real processes without a sandbox."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.games.callbreak.game import Callbreak
from arena.records import BotId
from arena.referee.api import Exit, RefereeRules, Table, TimeLimits
from arena.referee.hosting import dismiss, greet
from arena.referee.seat import Seat

VILLAINS = Path(__file__).parent.parent / "villains"


class PopenLink:
    """A bot as a plain child process in a session of its own."""

    def __init__(self, argv: Sequence[str]) -> None:
        self.process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        assert self.process.stdin
        assert self.process.stdout
        assert self.process.stderr
        self._ends = [self.process.stdin, self.process.stdout, self.process.stderr]
        self.stdin, self.stdout, self.stderr = (end.fileno() for end in self._ends)

    @property
    def pid(self) -> int:
        return self.process.pid

    def exit(self, wait_ms: float) -> Exit | None:
        try:
            code = self.process.wait(wait_ms / 1000)
        except subprocess.TimeoutExpired:
            return None
        return Exit(signal=-code) if code < 0 else Exit(status=code)

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def close_stdin(self) -> None:
        self._ends[0].close()

    def close(self) -> None:
        self.kill()
        for end in self._ends:
            with contextlib.suppress(OSError):
                end.close()


class SteadyClock:
    def now(self) -> float:
        return time.perf_counter()


CLOCK = SteadyClock()
GAME = Callbreak()


def python_bot(name: str, *arguments: str) -> list[str]:
    """The command line of a villain (or the fair bot) of tests/villains."""
    return [sys.executable, "-S", "-E", str(VILLAINS / f"{name}.py"), *arguments]


def a_table(
    *, deals: int = 1, rules: RefereeRules | None = None, match: str = "m1", seed: str = "7"
) -> Table:
    return Table(
        match=match,
        set="s1",
        game=GAME,
        variant=GAME.variant("master", {"deals": deals}),
        seed=seed,
        seats=tuple(BotId(f"bot{seat}", "1", "00") for seat in range(4)),
        players=("p0", "p1", "p2", "p3"),
        seat_seeds=(10, 11, 12, 13),
        started="2024-01-01T00:00:00Z",
        rules=rules or RefereeRules(),
    )


@contextlib.contextmanager
def seated(
    commands: Sequence[Sequence[str]], limits: TimeLimits | None = None
) -> Iterator[list[Seat]]:
    """Greeted bots that are gone when the block is left."""
    limits = limits or TimeLimits()
    links = [PopenLink(command) for command in commands]
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
