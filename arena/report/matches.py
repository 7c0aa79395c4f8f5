"""Match records from any program, gathered for a board.

A record that is unfit is kept aside as a `BadLine`, never raised: one stranger's slip does not cost
the others their board. Bots are told apart by name, version and digest; names for the board can
only be given once all records are known (identity.py), so what is gathered here speaks of bots by
number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from arena.ratings.statistics import Conduct, Deals
from arena.records import BotId, Points
from arena.report.record_check import (
    SEATS_LIMIT,
    BotNumbers,
    CheckedRecord,
    UnfitError,
    check_record,
    excerpt,
)
from arena.report.record_source import BadLine, Located


class Played(NamedTuple):
    """One match, bots as numbers; lists by seat. `deals` is 0 where the record does not say, `play`
    empty in a game with chance."""

    bots: tuple[int, ...]
    scores: tuple[Points, ...]
    retired: tuple[bool, ...]
    set: str
    deals: int
    play: str = ""


@dataclass(slots=True)
class Matches:
    """Everything gathered so far. `conduct` is by number of the bot, as in `ids`.

    `sets` numbers the deal sets by name; a match without one goes by its place in `played`, from 1.
    `seen` knows the matches that have a name: one that stands twice counts once.
    """

    numbers: BotNumbers = field(default_factory=BotNumbers)
    played: list[Played] = field(default_factory=list)
    conduct: list[Conduct] = field(default_factory=list)
    deals: Deals = field(default_factory=Deals)
    sets: dict[str | int, int] = field(default_factory=dict)
    seen: set[bytes] = field(default_factory=set)
    void: int = 0
    bad: list[BadLine] = field(default_factory=list)

    @property
    def ids(self) -> Mapping[BotId, int]:
        """Every bot that was met, with its number."""
        return self.numbers.ids

    def gather(self, records: Iterable[Located]) -> None:
        """Adds every record; void matches are counted, and bad lines kept aside."""
        for located in records:
            if isinstance(located, BadLine):
                self.bad.append(located)
                continue
            where, record = located
            known = len(self.conduct)
            try:
                self._gather(record)
            except UnfitError as unfit:
                self.bad.append(BadLine(where, unfit.what, unfit.mend))
                self.numbers.forget_since(known)

    def join(self, other: Matches) -> None:
        """Adds all that was gathered elsewhere, as if it had been gathered here after the rest."""
        number = [self.numbers.number_of(bot) for bot in other.ids]
        self._meet()
        for bot, conduct in zip(number, other.conduct, strict=True):
            self.conduct[bot].add(conduct)
        self._join_deals(other, number)
        self.played += [
            played._replace(bots=tuple([number[bot] for bot in played.bots]))
            for played in other.played
        ]
        self.seen |= other.seen
        self.void += other.void
        self.bad += other.bad

    def _join_deals(self, other: Matches, number: list[int]) -> None:
        """Adds the single deals, bots and deal sets numbered as here."""
        deals, more, before = self.deals, other.deals, len(self.played)
        names = (name if isinstance(name, str) else name + before for name in other.sets)
        sets = [self.sets.setdefault(name, len(self.sets)) for name in names]
        deals.fallback.extend(position + len(deals.bot) for position in more.fallback)
        deals.bot.frombytes(np.array(number, np.int64)[np.asarray(more.bot)].tobytes())
        deals.deal_set.frombytes(np.array(sets, np.int64)[np.asarray(more.deal_set)].tobytes())
        deals.place.extend(more.place)
        deals.call.extend(more.call)
        deals.points.extend(more.points)

    def _meet(self) -> None:
        """Every bot has a conduct."""
        while len(self.conduct) < len(self.numbers.ids):
            self.conduct.append(Conduct())

    def _gather(self, record: Mapping[str, Any]) -> None:
        if record.get("void"):
            self.void += 1
            return
        checked = check_record(record, self.numbers)
        if (name := record.get("match")) and isinstance(name, str):
            self._refuse_twice(name, record, checked)
        self._add(checked)

    def _refuse_twice(self, name: str, record: Mapping[str, Any], checked: CheckedRecord) -> None:
        """A match is one by its name, cards, seats and result: runs share the names alone.

        A record that does not say its cards (a brief does not) is known by when they were played.
        """
        cards = (record.get("seed") or record.get("started"), checked.set)
        known = (name, cards, checked.seats, checked.scores, checked.account.calls)
        same = blake2b(repr(known).encode(), digest_size=16).digest()
        if same in self.seen:
            raise UnfitError(f"match {excerpt(name)} stands twice", "keep one of the two")
        self.seen.add(same)

    def _add(self, match: CheckedRecord) -> None:
        bots = match.bots
        self._meet()
        self.played.append(
            Played(bots, match.scores, match.retired, match.set, match.deals, match.play)
        )
        for fault in match.faults:
            self.conduct[bots[fault.seat]].faults += 1
        for bot, (decisions, thinking_us) in zip(bots, match.timing, strict=False):
            self.conduct[bot].decisions += decisions
            self.conduct[bot].thinking_us += thinking_us
        if match.account:
            self._add_deals(match)

    def _add_deals(self, match: CheckedRecord) -> None:
        seats, account, deals = len(match.bots), match.account, self.deals
        if match.faults:
            deals.fallback.extend(_played_by_fallback(match, len(deals.bot)))
        deal_set = self.sets.setdefault(match.set or len(self.played), len(self.sets))
        deals.bot.extend(match.bots * len(account))
        for dealer in account.dealers:
            deals.place.extend(_PLACES[seats][dealer])
        deals.call.extend(account.calls)
        deals.points.extend(account.points)
        deals.deal_set.extend([deal_set] * len(account.calls))


# By number of seats and dealer: the place of each seat after the dealer, from 1.
_PLACES = [
    [[(seat - dealer - 1) % seats + 1 for seat in range(seats)] for dealer in range(seats)]
    for seats in range(SEATS_LIMIT + 1)
]


def _played_by_fallback(match: CheckedRecord, start: int) -> Iterator[int]:
    """Positions of the deals from a bot's retirement on, where the record's deals begin at
    `start`."""
    seats = len(match.bots)
    for fault in match.faults:
        if fault.retired:
            first = min(max(fault.deal or 1, 1), len(match.account) + 1)
            stop = start + seats * len(match.account)
            yield from range(start + seats * (first - 1) + fault.seat, stop, seats)
