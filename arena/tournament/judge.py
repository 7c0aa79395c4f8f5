"""The judge of a regression test: takes finished sets in their order until the verdict falls.

Matches come in any order, from any number of workers. A set waits until both of its matches are
there and all sets before it have been taken; so the verdict, and the set at which it falls, depend
on the plan alone. Records of an earlier run are taken in just the same way: a test that goes on
after a kill needs nothing but them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from arena.regress.observation import observe
from arena.regress.plan import BASE, CANDIDATE, PairedSet, paired_sets
from arena.regress.sequential import is_a_look
from arena.regress.terms import FIRST_LOOK, Terms
from arena.regress.trial import Trial
from arena.regress.verdict import Ending, Outcome
from arena.tables import FOUR

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Rules:
    """What the judge goes by. `time_tolerance` is how much slower than base is still allowed.

    `names` are the players' names, by index in the plan; `deals` how many deals a match has.
    """

    terms: Terms
    field: int
    deals: int
    names: tuple[str, ...]
    time_tolerance: float | None = None
    seats: int = FOUR


@dataclass(slots=True)
class MoveTimes:
    """Mean decision times in ms of every match and seat of candidate and base."""

    candidate: list[float] = field(default_factory=list)
    base: list[float] = field(default_factory=list)

    def add(self, seats: tuple[int, ...], record: Record) -> None:
        """Takes the timing of one match into account."""
        lists = {CANDIDATE: self.candidate, BASE: self.base}
        for player, timing in zip(seats, record["timing"], strict=True):
            if player in lists and timing["decisions"]:
                lists[player].append(timing["total_ms"] / timing["decisions"])

    def medians(self) -> tuple[float, float] | None:
        """The medians of candidate and base; None before the first match."""
        if not (self.candidate and self.base):
            return None
        return median(self.candidate), median(self.base)


class Judge:
    """Takes records until `ending` says how the test ended; then takes no more."""

    def __init__(self, rules: Rules, taken: Callable[[Trial], None] = lambda trial: None) -> None:
        self.trial = Trial()
        self.ending: Ending | None = None
        self.move_times = MoveTimes()
        self._rules = rules
        self._taken = taken
        self._plan = paired_sets(rules.field, rules.seats)
        self._next = next(self._plan)
        self._waiting: dict[int, dict[int, Record]] = {}

    def hear(self, record: Record) -> None:
        """Takes a finished match, and every set that this completes, in order."""
        number, table = _place(record)
        if self.ending or number < self._next.number:
            return
        self._waiting.setdefault(number, {})[table] = record
        while not self.ending and len(self._waiting.get(self._next.number, ())) == 2:
            waiting = self._waiting.pop(self._next.number)
            self._take(self._next, (waiting[0], waiting[1]))
            self._next = next(self._plan)

    def _take(self, planned: PairedSet, records: tuple[Record, Record]) -> None:
        self.ending = self._fault(planned, records)
        if self.ending:
            return
        rules = self._rules
        seen = observe(planned, [record["scores"] for record in records], rules.deals)
        self.trial = self.trial.after(seen, rules.terms)
        for seats, record in zip(planned.tables, records, strict=True):
            self.move_times.add(seats, record)
        ending = self.trial.ending(rules.terms)
        if ending or is_a_look(self.trial.sets):
            ending = self._slower() or ending
        self.ending = ending
        self._taken(self.trial)

    def _fault(self, planned: PairedSet, records: tuple[Record, Record]) -> Ending | None:
        """How a fault ends the test; the candidate's come before all others."""
        endings = [
            self._charge(seats[fault["seat"]], fault, record)
            for seats, record in zip(planned.tables, records, strict=True)
            for fault in record["faults"]
        ]
        return min(endings, key=lambda ending: ending.outcome is not Outcome.FAULT, default=None)

    def _charge(self, player: int, fault: Mapping[str, Any], record: Record) -> Ending:
        where = f"match {record['match']}" + (f", deal {fault['deal']}" if fault["deal"] else "")
        what = f"{fault['kind']} in {where}: {fault['detail']}"
        if fault.get("host_stalled"):
            return Ending(Outcome.UNDECIDED, f"this machine stalled ({what})")
        if player == CANDIDATE:
            return Ending(Outcome.FAULT, f"the candidate: {what}")
        who = "the base" if player == BASE else self._rules.names[player]
        return Ending(Outcome.UNDECIDED, f"a fault of {who}: {what}")

    def _slower(self) -> Ending | None:
        tolerance, medians = self._rules.time_tolerance, self.move_times.medians()
        if tolerance is None or medians is None or self.trial.sets < FIRST_LOOK:
            return None
        candidate, base = medians
        if candidate <= tolerance * base:
            return None
        return Ending(
            Outcome.SLOWER,
            f"a median move takes {candidate:.2f} ms, base {base:.2f} ms: "
            f"more than {tolerance:g} times as long",
        )


def _place(record: Record) -> tuple[int, int]:
    """The number of a record's deal set and of its table, both from 0 (match `12-1`)."""
    number, _, table = record["match"].partition("-")
    return int(number) - 1, int(table) - 1
