"""What is to be played: the plan that every worker gets once, and one small spec a match.

Both are plain picklable data, so that a local pool and a cluster run the same function.

A tournament is played in *segments*, nearly always one. A run that is extended by more bots gets
another: its matches are numbered on, and its deal sets too, so that every match keeps its name and
its cards for ever.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from arena.bots.bot import Bot
from arena.errors import ArenaError, PluginError
from arena.records import Fault, MatchRecord, brief_of
from arena.referee.api import RefereeRules
from arena.sandbox.api import Level, Limits
from arena.schedule.api import Schedule
from arena.schedule.law import counted_matches, lawful_seatings
from arena.store import Packed, packed
from arena.tables import FOUR
from arena.tournament.seeds import commitment, deal_set_seed

WORKER_WAIT_S = 600


@dataclass(frozen=True, slots=True)
class RunPlan:
    """Everything that all matches of a run share.

    `bots` are ready to be started, or still to be built where they play (a cluster's workers).

    `sandbox` is the provider's name, `none` included. `fresh_processes` starts the bots anew for
    every match. With `hide_names` bots are told `p0`…`p3` instead of names. A worker keeps at most
    `most_processes` bots running. `required` is what the sandbox has to do wherever a match is
    played, `scheduler` the address of the cluster that plays ("": one of this machine's own), and
    `worker_wait_s` how long its workers are waited for while there is none (0: for ever).
    `transcripts` is the folder where the transcript of every match is kept ("": none is).
    """

    bots: tuple[Bot, ...]
    game: str
    variant: Mapping[str, Any]
    rules: RefereeRules
    sandbox: str
    limits: Limits
    fresh_processes: bool = False
    hide_names: bool = False
    most_processes: int = 64
    required: Mapping[str, Level] = field(default_factory=dict)
    scheduler: str = ""
    worker_wait_s: int = WORKER_WAIT_S
    transcripts: str = ""


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a tournament: the first `bots` bots play `orbits` orbits."""

    bots: int
    orbits: int


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """One match: its number in the schedule (from 0), names, cards and bot indices by seat.

    `deal_set` counts from 0; None for a match of its own, whose `seed` derives from no other.
    """

    number: int
    match: str
    set: str
    deal_set: int | None
    seed: str
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a match: its record, or, if the harness failed, the reason it is void.

    `by_plugin` says that a plugin's mistake made it void, so that another attempt is no use.
    `packed` is the record ready for the store. Whoever plays had best make it: there is only one
    coordinator.
    """

    spec: MatchSpec
    record: MatchRecord | None
    void: str = ""
    packed: Packed | None = None
    by_plugin: bool = False

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults of all seats; none for a void match."""
        return self.record.faults if self.record else ()


def finished(spec: MatchSpec, record: MatchRecord) -> Outcome:
    """The outcome of a match that was played."""
    return Outcome(spec, record, packed=pack(record))


def failed(spec: MatchSpec, error: ArenaError) -> Outcome:
    """The outcome of a match that could not be played."""
    return Outcome(spec, None, void=str(error), by_plugin=isinstance(error, PluginError))


def pack(record: MatchRecord) -> Packed:
    """The record and its brief, ready for the store."""
    whole = record.as_dict()
    try:
        return packed(orjson.dumps(whole), orjson.dumps(brief_of(whole)))
    except TypeError as error:
        raise PluginError(
            f"`record` gives what JSON has no form for ({error})", where=f"game {record.game!r}"
        ) from error


def match_specs(
    schedule: Schedule, segments: Sequence[Segment], seed: str, seats: int = FOUR
) -> Iterator[MatchSpec]:
    """The matches of a tournament in their order."""
    number = first_set = 0
    for segment in segments:
        last_set, table, cards = -1, 0, ""
        for seating in lawful_seatings(schedule, segment.bots, segment.orbits, seed, seats):
            if seating.deal_set != last_set:
                last_set, table = seating.deal_set, 0
                cards = deal_set_seed(seed, first_set + last_set)
                name = f"{first_set + last_set + 1}.{commitment(cards)[:8]}"
            table += 1
            yield MatchSpec(
                number=number,
                match=f"{first_set + last_set + 1}-{table}",
                set=name,
                deal_set=first_set + last_set,
                seed=cards,
                seats=seating.seats,
            )
            number += 1
        first_set += last_set + 1


def count_matches(schedule: Schedule, segments: Sequence[Segment], seats: int = FOUR) -> int:
    """How many matches `match_specs` gives, without making them."""
    return sum(counted_matches(schedule, each.bots, each.orbits, seats) for each in segments)
