"""The bots that one worker has running, and a match played with them.

Theory of operation. Starting four processes costs several times what a match of quick bots does,
so processes are used again under one rule that protects the game: a process belongs to one bot and
one seat, and is never shown the same deal twice (after a deal all hands are known). The bench keeps
processes by (bot, seat), remembers the deal sets that each has seen, and starts one afresh when it
would meet one of them again, when it was charged with a fault, when it said something after `end`,
or when the organiser wants fresh processes for every match. A bounded number of processes lives at
a time; the one that played *last* goes first: in an orbit every (bot, seat) comes up once, so its
next turn is the farthest away.

A match has the same verdict whether its processes are fresh or not: what a used one does wrong
before its first answer may come from the match before, so the match begins again with fresh ones.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any

from arena import __version__
from arena.bots.bot import Bot
from arena.games.api import Game
from arena.records import MatchRecord
from arena.referee.api import Clock, Observer, RefereeStoppedError, StaleSeatError, Table
from arena.referee.driver import play
from arena.referee.hosting import dismiss
from arena.referee.seat import Seat
from arena.sandbox.api import Sandbox
from arena.tournament.descriptors import most_bots
from arena.tournament.plan import MatchSpec, RunPlan
from arena.tournament.seeds import seat_seed
from arena.tournament.starting import Starter
from arena.tournament.transcript import SUFFIX, Transcript, keep

BenchKey = tuple[int, int]
"""A bot's index in the plan, and a seat."""


def _keys(spec: MatchSpec) -> list[BenchKey]:
    return [(bot, seat) for seat, bot in enumerate(spec.seats)]


BEGUN_AGAIN = 5
"""How often a match may be begun again before it counts as void."""

_IDLE_BOT_MB = 50
"""What an idle bot may hold of memory: Python 8, Node 40, Java 45, the sandbox 1."""

_FEWEST, _MOST = 16, 1_000


def affordable_processes(workers: int, wanted: int = 0) -> int:
    """How many idle bots each worker may keep: as many as `wanted`, but no more than it has
    descriptors for; with 0, half of the memory that is free now, shared out.
    """
    free_mb = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2**20
    in_memory = min(max(free_mb // 2 // _IDLE_BOT_MB // workers, _FEWEST), _MOST)
    return min(wanted or in_memory, most_bots())


@dataclass(slots=True)
class _Sitting:
    """A running bot: its greeted seat and the deal sets it has been shown."""

    seat: Seat
    seen: set[str] = field(default_factory=set)

    def may_see(self, deal_set: str) -> bool:
        """True if it still runs, and the cards of this set are new to it; or if it was condemned.

        A condemned one sits once more, to be charged.
        """
        return self.seat.breach is not None or (deal_set not in self.seen and self.seat.usable)


class Bench:
    """A worker's running bots, pinned to `core`. A context manager: leaving it stops them all."""

    def __init__(
        self,
        plan: RunPlan,
        *,
        game: Game,
        sandbox: Sandbox,
        clock: Clock,
        core: int,
    ) -> None:
        self._plan = plan
        self._game = game
        self._sandbox = sandbox
        self._clock = clock
        self._core = core
        self._sitting: OrderedDict[BenchKey, _Sitting] = OrderedDict()

    def __enter__(self) -> Bench:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.clear()

    def clear(self) -> None:
        """Stops every process."""
        self._dismiss(list(self._sitting))

    def settle(self, index: int, bot: Bot) -> None:
        """The bot of that index plays from now on as `bot`: the same one, made ready here."""
        bots = self._plan.bots
        self._plan = replace(self._plan, bots=(*bots[:index], bot, *bots[index + 1 :]))

    def play(
        self,
        spec: MatchSpec,
        *,
        started: str,
        observers: Sequence[Observer] = (),
        transcript: Path | None = None,
    ) -> MatchRecord:
        """Plays one match. Raises ArenaError if the harness fails: the match is then void.

        Its transcript is kept in the file `transcript`, else in the plan's folder if it has one.
        """
        if transcript is None and self._plan.transcripts:
            transcript = Path(self._plan.transcripts) / f"{spec.match}{SUFFIX}"
        try:
            return self._play(self._table(spec, started), spec, observers, transcript)
        except BaseException:
            # Whatever was under way is unknown now; nothing of it may reach another match.
            self.clear()
            raise
        finally:
            self._sweep(spec)

    def _play(
        self,
        table: Table,
        spec: MatchSpec,
        observers: Sequence[Observer],
        transcript: Path | None,
    ) -> MatchRecord:
        """Plays it, and begins again with fresh processes where nobody could be judged fairly.

        That is where an earlier match may reach into it, or where the referee was stopped.
        """
        for _ in range(BEGUN_AGAIN):
            try:
                return self._play_once(table, spec, observers, transcript)
            except (StaleSeatError, RefereeStoppedError):
                self._dismiss([key for key in _keys(spec) if key in self._sitting])
        return self._play_once(table, spec, observers, transcript)

    def _play_once(
        self,
        table: Table,
        spec: MatchSpec,
        observers: Sequence[Observer],
        transcript: Path | None,
    ) -> MatchRecord:
        seats = self._seats(spec)
        kept = Transcript() if transcript else None
        if kept:
            observers = (*observers, kept)
            for number, seat in enumerate(seats):
                kept.sent(number, b"" if seat.matches else seat.hello)
        record = play(
            table, seats, self._clock, observers, bystanders=lambda: self._standing_by(spec)
        )
        record = replace(record, extra={**record.extra, **self._origin(spec)})
        if kept and transcript:
            keep(transcript, kept.text(record))
        return record

    def _standing_by(self, spec: MatchSpec) -> list[Seat]:
        """The running bots that do not play this match."""
        playing = set(_keys(spec))
        return [sitting.seat for key, sitting in self._sitting.items() if key not in playing]

    def _origin(self, spec: MatchSpec) -> dict[str, Any]:
        """What lets others trace the record: the rules' version and the deal set's number."""
        versions = {"arena": __version__, "rules": self._game.version}
        return versions if spec.deal_set is None else {"deal_set": spec.deal_set, **versions}

    def _table(self, spec: MatchSpec, started: str) -> Table:
        ids = tuple(self._plan.bots[index].id for index in spec.seats)
        hidden = tuple(f"p{seat}" for seat in range(len(ids)))
        return Table(
            match=spec.match,
            set=spec.set,
            game=self._game,
            variant=self._plan.variant,
            seed=spec.seed,
            seats=ids,
            players=hidden if self._plan.hide_names else tuple(bot.name for bot in ids),
            seat_seeds=tuple(seat_seed(spec.seed, seat) for seat in range(len(ids))),
            started=started,
            rules=self._plan.rules,
        )

    def _seats(self, spec: MatchSpec) -> list[Seat]:
        keys = _keys(spec)
        sitting = self._sitting
        self._dismiss([k for k in keys if k in sitting and not sitting[k].may_see(spec.set)])
        self._start([key for key in keys if key not in self._sitting], reserve=set(keys))
        for key in keys:
            self._sitting[key].seen.add(spec.set)
            self._sitting.move_to_end(key)
        return [self._sitting[key].seat for key in keys]

    def _start(self, keys: Sequence[BenchKey], *, reserve: set[BenchKey]) -> None:
        idle = [key for key in reversed(self._sitting) if key not in reserve]
        surplus = len(self._sitting) + len(keys) - self._plan.most_processes
        self._dismiss(idle[: max(0, surplus)])
        starter = Starter(self._plan, self._sandbox, self._clock, self._core)
        seats = starter.seats([self._plan.bots[index] for index, _ in keys])
        for key, seat in zip(keys, seats, strict=True):
            self._sitting[key] = _Sitting(seat)

    def _sweep(self, spec: MatchSpec) -> None:
        """Lets go of those who just played and cannot play on, or of all if they are to be fresh.

        The others are not looked at: there may be hundreds, and each is looked at before it plays.
        """
        fresh = self._plan.fresh_processes
        keys = [key for key in _keys(spec) if key in self._sitting]
        self._dismiss([key for key in keys if fresh or not self._sitting[key].seat.usable])

    def _dismiss(self, keys: Sequence[BenchKey]) -> None:
        seats = [self._sitting.pop(key).seat for key in keys]
        dismiss(seats, self._clock, self._plan.rules.limits.grace_ms)
