"""What the referee takes and needs: the table, its limits, a link to each bot, a clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from arena.errors import ArenaError
from arena.games.api import Game
from arena.process import Exit as Exit
from arena.process import Usage as Usage
from arena.records import BotId


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """Every limit in milliseconds.

    `move_ms` is for each decision, `match_ms` for all decisions of one bot in one match,
    `start_ms` from the start of the process to its hello. `grace_ms` is how long a bot has to
    leave after `quit`, and is no part of any decision.
    """

    start_ms: int = 10_000
    move_ms: int = 1_000
    match_ms: int = 60_000
    grace_ms: int = 200


OnHostStall = Literal["auto", "charge", "void"]
"""What becomes of a timeout that the host had a part in."""

IDLE_CPU_MS = 5_000
"""Above what a compiler or a collector of garbage uses in the background of a match."""


@dataclass(frozen=True, slots=True)
class RefereeRules:
    """How faults are treated. `strikes` faults are forgiven (each answered by the fallback).

    An answer that is at most `late_ms` over its limit is still in time. A timeout while the host
    itself was starved is marked `host_stalled`, and is charged to the bot or makes the match void;
    `auto` charges it unless the referee was stopped, which is nobody's doing at the table.
    `pause_idle` stops each bot while it is not asked, so that none thinks on another's time.
    `idle_cpu_ms` is how much processor time a bot may use in a match while others are asked; 0
    allows all of it (bots may ponder), and then none is charged if another one is late for it.
    """

    limits: TimeLimits = TimeLimits()
    strikes: int = 0
    late_ms: int = 0
    on_host_stall: OnHostStall = "auto"
    pause_idle: bool = False
    idle_cpu_ms: int = IDLE_CPU_MS


@dataclass(frozen=True, slots=True)
class Table:
    """One match to be played: who sits where, on which cards, under which rules.

    `seats` and `players` (names as shown to the bots) and `seat_seeds` (below 2**53) are by seat.
    `started` is UTC, ISO 8601.
    """

    match: str
    set: str
    game: Game
    variant: Mapping[str, Any]
    seed: str
    seats: tuple[BotId, ...]
    players: tuple[str, ...]
    seat_seeds: tuple[int, ...]
    started: str
    rules: RefereeRules = RefereeRules()


class HostStalledError(ArenaError):
    """The host was too busy to time a bot fairly; the match is void and can be played again."""


class RefereeStoppedError(HostStalledError):
    """The referee itself was stopped while a bot was asked; the match is to be played again."""


class StaleSeatError(ArenaError):
    """A process that has played before did something wrong before its first answer in this match.

    It said something after `end`, left, or is still busy with what it was told there: nobody can
    tell this from a fault in this match. So the match is to be begun again with fresh processes for
    all (the others have seen cards of it), and what a fresh one does is charged.
    """


class Clock(Protocol):
    """A steady clock."""

    def now(self) -> float:
        """Seconds since some fixed instant; never goes back."""
        ...


class BotLink(Protocol):
    """A running bot as the driver sees it: three non-blocking descriptors and its end."""

    @property
    def stdin(self) -> int:
        """Write end of the bot's standard input."""
        ...

    @property
    def stdout(self) -> int: ...

    @property
    def stderr(self) -> int: ...

    def exit(self, wait_ms: float) -> Exit | None:
        """How it ended, waiting at most `wait_ms` for that; None if it is still running."""
        ...

    def kill(self) -> None:
        """Kills the whole tree at once and reaps it. Does nothing the second time."""
        ...

    def pause(self) -> None:
        """Stops the whole tree until `resume`; it uses no processor meanwhile."""
        ...

    def resume(self) -> None:
        """Lets the bot go on. Does nothing if it is not stopped."""
        ...

    def cpu_wait_ms(self) -> float:
        """How long its threads have been ready to run without a processor so far; 0 if unknown."""
        ...

    def usage(self) -> Usage | None:
        """The processor time of its whole tree so far; None if that cannot be told."""
        ...

    def close_stdin(self) -> None:
        """The bot reads end of file. Does nothing the second time."""
        ...

    def close(self) -> None:
        """Kills what is left and closes our ends. Does nothing the second time."""
        ...


class Observer(Protocol):
    """Watches a match (progress, `--watch`, transcripts). Must be quick and must not raise."""

    def sent(self, seat: int, data: bytes) -> None:
        """One write to a bot: whole lines, one or more."""
        ...

    def received(self, seat: int, data: bytes) -> None:
        """One read from a bot: any piece of its output."""
        ...
