"""What one bot is like by itself: speed, memory, and a signature of everything it decides.

The bot plays all seats on a fixed set of deals, and then again with fresh processes for every
match. The signature is a hash of all its calls and cards: as long as it stays the same, a change
has changed nothing. If the second time gives another one, the bot is not reproducible: it draws
chance from elsewhere than the seed it is given, or lets one match colour the next.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

import orjson

from arena.errors import ConfigError
from arena.games.callbreak.game import Callbreak
from arena.process import Exit, Launch, status_of
from arena.records import Fault, MatchRecord
from arena.sandbox.api import CapabilityReport, Limits, Program, Sandbox, Unavailable
from arena.tournament.bench import Bench
from arena.tournament.clock import SteadyClock, utc_now
from arena.tournament.cores import own_core
from arena.tournament.plan import MatchSpec
from arena.tournament.prepare import Tournament
from arena.tournament.seeds import deal_set_seed

SEED = "bench"
"""The deals are the same for everybody, so that signatures can be compared."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The figures of one bot.

    Times in ms. `memory_mb` is the most that the processes of one seat held in memory, libraries
    included; None where the kernel does not tell. `differs_at` names the first match that went
    otherwise the second time; empty for a reproducible bot.
    """

    bot: str
    decisions: int
    moves_per_s: float
    median_ms: float
    slowest_ms: float
    memory_mb: float | None
    signature: str
    differs_at: str
    faults: tuple[Fault, ...]


def measure(tournament: Tournament, matches: int) -> Measured:
    """Plays the first bot of a tournament with itself. Raises ArenaError if the harness fails."""
    if matches < 1:
        raise ConfigError(f"at least one match is needed, not {matches}", where="--matches")
    scales = _Scales()
    weighed = _WeighedSandbox(tournament.sandbox, scales)
    with own_core() as core, _bench(tournament, weighed, core, fresh=False) as bench:
        records = [bench.play(spec, started=utc_now()) for spec in _specs(tournament, matches)]
        memory = scales.peak_bytes()
    with own_core() as core, _bench(tournament, tournament.sandbox, core, fresh=True) as bench:
        again = [bench.play(spec, started=utc_now()) for spec in _specs(tournament, matches)]
    timing = [seat for record in records for seat in record.timing if seat.decisions]
    decisions = sum(seat.decisions for seat in timing)
    return Measured(
        bot=tournament.plan.bots[0].name,
        decisions=decisions,
        moves_per_s=1000 * decisions / max(sum(seat.total_ms for seat in timing), 1e-9),
        median_ms=median(seat.total_ms / seat.decisions for seat in timing) if timing else 0.0,
        slowest_ms=max((seat.slowest_ms for seat in timing), default=0.0),
        memory_mb=memory / 1e6 if memory else None,
        signature=signature(records),
        differs_at=_first_difference(records, again),
        faults=tuple(fault for record in records for fault in record.faults),
    )


def signature(records: Sequence[MatchRecord]) -> str:
    """SHA-256 of every decision in these records, in order: of Callbreak the calls and cards, as
    on the wire; of another game all that it records of its deals."""
    return hashlib.sha256(b"".join(map(_decisions, records))).hexdigest()


def _decisions(record: MatchRecord) -> bytes:
    if record.game != Callbreak.name:
        return orjson.dumps(record.deals)
    return orjson.dumps(
        [[deal["calls"], [trick["cards"] for trick in deal["tricks"]]] for deal in record.deals]
    )


def _first_difference(records: Sequence[MatchRecord], again: Sequence[MatchRecord]) -> str:
    for before, after in zip(records, again, strict=True):
        if _decisions(before) != _decisions(after):
            return f"match {before.match}"
    return ""


def _specs(tournament: Tournament, matches: int) -> Iterator[MatchSpec]:
    for number in range(matches):
        cards = deal_set_seed(tournament.seed, number)
        name = f"{number + 1}"
        yield MatchSpec(number, name, name, number, cards, (0,) * tournament.seats)


def _bench(tournament: Tournament, sandbox: Sandbox, core: int, *, fresh: bool) -> Bench:
    return Bench(
        replace(tournament.plan, fresh_processes=fresh),
        game=tournament.game,
        sandbox=sandbox,
        clock=SteadyClock(),
        core=core,
    )


class _Scales:
    """A guard that holds nothing back: it remembers what was started, to ask what it holds."""

    def __init__(self) -> None:
        self._roots: list[int] = []

    def attach(self, pid: int, pidfd: int) -> _Scales:
        self._roots.append(pid)
        return self

    def verdict(self) -> Exit | None:
        return None

    def release(self) -> None:
        pass

    def peak_bytes(self) -> int:
        """The most that the processes of one start held; 0 if nothing can be read."""
        return max((sum(map(_peak_of, _tree(pid))) for pid in self._roots), default=0)


class _WeighedSandbox:
    """A sandbox whose starts are put on scales."""

    def __init__(self, inner: Sandbox, scales: _Scales) -> None:
        self._inner = inner
        self._scales = scales

    @property
    def name(self) -> str:
        return self._inner.name

    def unavailable(self) -> Unavailable | None:
        return self._inner.unavailable()

    def report(self) -> CapabilityReport:
        return self._inner.report()

    def launch(self, program: Program, limits: Limits) -> Launch:
        launch = self._inner.launch(program, limits)
        return replace(launch, guards=(*launch.guards, self._scales))


def _tree(pid: int) -> Iterator[int]:
    yield pid
    with suppress(OSError):
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            yield from _tree(int(child))


def _peak_of(pid: int) -> int:
    with suppress(OSError):
        if peak := status_of(pid).get("VmHWM"):
            return int(peak.split()[0]) * 1024
    return 0
