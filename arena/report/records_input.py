"""Match records from any program, gathered for a board.

Records may come from strangers: a line that is no record becomes a `BadLine` that says where, what
and how to mend it, never an exception. Bots are told apart by name, version and digest; names for
the board can only be given once all records are known (identity.py), so what is gathered here
speaks of bots by number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from arena.errors import ConfigError, reading
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
from arena.store import RunStore

LINE_LIMIT_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no record: where it stands, what is wrong and how to mend it."""

    where: str
    what: str
    mend: str


Located = tuple[str, Mapping[str, Any]] | BadLine
"""Where a record stands (file and line, run and match), and the record."""


@dataclass(frozen=True, slots=True)
class Played:
    """One match, bots as numbers; lists by seat. `deals` is 0 where the record does not say."""

    bots: tuple[int, ...]
    scores: tuple[Points, ...]
    retired: tuple[bool, ...]
    set: str
    deals: int


@dataclass(slots=True)
class Matches:
    """Everything gathered so far. `conduct` is by number of the bot, as in `ids`."""

    numbers: BotNumbers = field(default_factory=BotNumbers)
    played: list[Played] = field(default_factory=list)
    conduct: list[Conduct] = field(default_factory=list)
    deals: Deals = field(default_factory=Deals)
    sets: dict[str, int] = field(default_factory=dict)
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

    def _gather(self, record: Mapping[str, Any]) -> None:
        if record.get("void"):
            self.void += 1
        else:
            self._add(check_record(record, self.numbers))

    def _add(self, match: CheckedRecord) -> None:
        bots = match.bots
        while len(self.conduct) < len(self.numbers.ids):
            self.conduct.append(Conduct())
        self.played.append(Played(bots, match.scores, match.retired, match.set, match.deals))
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
        own = f"\n{len(self.played)}"
        deal_set = self.sets.setdefault(match.set or own, len(self.sets))
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


def read_any(path: Path, *, cards: bool = False) -> Iterator[Located]:
    """The records of a run folder or of a file, each with the place where it stands.

    A run folder gives its records without the cards, which is much faster, unless asked for them.
    """
    return read_run(path, cards=cards) if path.is_dir() else read_lines(path)


def read_run(folder: Path, *, cards: bool = False) -> Iterator[Located]:
    """Every finished match of a run folder, in the order of its schedule."""
    with RunStore.read(folder) as store:
        for record in store.records() if cards else store.briefs():
            yield f"{folder} match {record['match']}", record


def read_lines(path: Path) -> Iterator[Located]:
    """Every line of a file of JSON lines that is not blank, parsed, with its number."""
    mend = "give a run folder, or a file with one record a line"
    with reading(path, mend=mend), path.open("rb") as stream:
        yield from _lines(stream, str(path))


def _lines(stream: BinaryIO, label: str) -> Iterator[Located]:
    number = 0
    while line := stream.readline(LINE_LIMIT_BYTES + 1):
        number += 1
        where = f"{label} line {number}"
        if len(line) > LINE_LIMIT_BYTES:
            yield BadLine(where, "longer than 64 MiB, and so is unread the rest", "cut the line")
            return
        if text := line.removeprefix(b"\xef\xbb\xbf" if number == 1 else b"").strip():
            yield _parse(where, text)


def _parse(where: str, text: bytes) -> Located:
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        return BadLine(where, f"not JSON: {error.msg}", "write one JSON object a line")
    if isinstance(value, dict):
        return where, value
    return BadLine(where, f"{excerpt(value)} is no JSON object", "write one record a line")


def refuse_bad_lines(bad: list[BadLine]) -> None:
    """Raises ConfigError if there is a bad line: the first in full, the others by their place."""
    if not bad:
        return
    first, *others = bad
    more = ""
    if others:
        shown = ", ".join(line.where.rpartition("line ")[2] for line in others[:10])
        more = f"; and {len(others)} more bad: {shown}" + (", …" if len(others) > 10 else "")
    raise ConfigError(
        first.what + more,
        where=first.where,
        mend=f"{first.mend}; --skip-bad leaves bad lines out",
    )
