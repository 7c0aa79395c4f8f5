"""What the pages tell of single bots beyond the board: calls, points of deals, faults, extremes.

One pass over the records fills these, so that a run of any length needs memory for its bots, not
for its matches.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arena.records import BotId, Points
from arena.report.record_check import CheckedRecord

FAULTS_KEPT = 50
EXTREMES_KEPT = 5


@dataclass(frozen=True, slots=True)
class MatchRef:
    """A match as a bot's page mentions it; lists by seat. `part` None: its record is not kept."""

    match: str
    part: int | None
    seats: tuple[BotId, ...]
    scores: tuple[Points, ...]
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Seated:
    """A bot's seat in a match; its score there is what best and worst are sorted by."""

    ref: MatchRef
    seat: int


@dataclass(slots=True)
class BotFacts:
    """One bot. Calls and points are of the deals that it played to their end by itself.

    `won_by_call` counts deals by (call, tricks won), `made_by_call` those that earned points.
    """

    won_by_call: Counter[tuple[int, int]] = field(default_factory=Counter)
    made_by_call: Counter[int] = field(default_factory=Counter)
    deal_points: Counter[int] = field(default_factory=Counter)
    slowest_ms: float = 0.0
    fault_count: int = 0
    faults: list[tuple[MatchRef, Mapping[str, Any]]] = field(default_factory=list)
    best: list[tuple[float, int, Seated]] = field(default_factory=list)
    worst: list[tuple[float, int, Seated]] = field(default_factory=list)

    def add_match(self, score: Points, order: int, seated: Seated) -> None:
        """Keeps the match if it is among the best or the worst; of equals the earliest."""
        _keep(self.best, (score, -order, seated))
        _keep(self.worst, (-score, -order, seated))

    def add_deal(self, call: int, won: int, points: Points) -> None:
        self.won_by_call[call, won] += 1
        self.made_by_call[call] += points > 0
        self.deal_points[round(points)] += 1

    def add_fault(self, ref: MatchRef, fault: Mapping[str, Any]) -> None:
        self.fault_count += 1
        if len(self.faults) < FAULTS_KEPT:
            self.faults.append((ref, fault))

    def best_first(self) -> list[Seated]:
        return [entry[2] for entry in sorted(self.best, reverse=True)]

    def worst_first(self) -> list[Seated]:
        return [entry[2] for entry in sorted(self.worst, reverse=True)]


def _keep(heap: list[tuple[float, int, Seated]], entry: tuple[float, int, Seated]) -> None:
    """The heap holds the greatest few; orders differ, so that two matches are never compared."""
    if len(heap) < EXTREMES_KEPT:
        heapq.heappush(heap, entry)
    elif entry[:2] > heap[0][:2]:
        heapq.heapreplace(heap, entry)


class Facts:
    """The facts of every bot, by what identifies it."""

    def __init__(self) -> None:
        self.bots: dict[BotId, BotFacts] = {}
        self._matches = 0

    def add(self, record: Mapping[str, Any], checked: CheckedRecord, ref: MatchRef) -> None:
        """Takes in one sound record."""
        self._matches += 1
        of_seat = [self.bots.setdefault(bot, BotFacts()) for bot in checked.seats]
        for seat, bot in enumerate(of_seat):
            order = self._matches * len(of_seat) + seat
            bot.add_match(checked.scores[seat], order, Seated(ref, seat))
        for found, fault in zip(checked.faults, record.get("faults") or (), strict=True):
            of_seat[found.seat].add_fault(ref, fault)
        for seat, timing in enumerate(record.get("timing") or ()):
            slowest = timing.get("slowest_ms")
            if isinstance(slowest, int | float):
                of_seat[seat].slowest_ms = max(of_seat[seat].slowest_ms, float(slowest))
        self._add_deals(record, checked, of_seat)

    def _add_deals(
        self, record: Mapping[str, Any], checked: CheckedRecord, of_seat: Sequence[BotFacts]
    ) -> None:
        last = _own_deals(checked)
        for number, deal in enumerate(checked.account, 1):
            won = record["deals"][number - 1].get("won")
            if not _is_counts(won, len(of_seat)):
                continue
            for seat, bot in enumerate(of_seat):
                if number < last[seat]:
                    bot.add_deal(deal.calls[seat], won[seat], deal.points[seat])


def _is_counts(won: object, seats: int) -> bool:
    if not isinstance(won, list) or len(won) != seats:
        return False
    return all(type(each) is int and 0 <= each <= 1000 for each in won)


def _own_deals(checked: CheckedRecord) -> list[float]:
    """By seat, the first deal that the fallback player finished (infinity: none)."""
    first = [float("inf")] * len(checked.seats)
    for fault in checked.faults:
        if fault.retired:
            first[fault.seat] = min(first[fault.seat], fault.deal or 1)
    return first
