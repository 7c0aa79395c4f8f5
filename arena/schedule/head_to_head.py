"""Two bots at a table, and every pair of the field in turn.

A deal set holds a seating and its complement, the two bots exchanged: whatever one is dealt, the
other is dealt the same, which is what makes the difference of two bots cheap to measure. More
matches on the same cards would repeat luck that has cancelled already, so further seatings get
fresh cards; nor does a bot sit twice in one seat on the same cards (law.py).

`head-to-head` plays the six seatings of two against two: ABAB, AABB, ABBA and their complements.
`aaab` plays three against one, with the single bot in each of the four seats: AAAB with BBBA, and
so on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from arena.errors import ConfigError
from arena.schedule.api import Seating, Seats

TWO_AGAINST_TWO: tuple[Seats, ...] = ((0, 1, 0, 1), (0, 0, 1, 1), (0, 1, 1, 0))
THREE_AGAINST_ONE: tuple[Seats, ...] = ((0, 0, 0, 1), (0, 0, 1, 0), (0, 1, 0, 0), (1, 0, 0, 0))


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Each orbit plays every pair of bots through all patterns, each with its complement."""

    name: str
    summary: str
    patterns: tuple[Seats, ...]

    def seatings(self, bots: int, orbits: int, seed: str) -> Iterator[Seating]:
        self._refuse_too_few(bots)
        return self._seatings(bots, orbits)

    def count(self, bots: int, orbits: int) -> int:
        self._refuse_too_few(bots)
        return 2 * len(self.patterns) * math.comb(bots, 2) * orbits

    def _seatings(self, bots: int, orbits: int) -> Iterator[Seating]:
        deal_set = 0
        for _ in range(orbits):
            for pattern in self.patterns:
                for pair in combinations(range(bots), 2):
                    yield Seating(deal_set, _seated(pattern, pair))
                    yield Seating(deal_set, _seated(pattern, pair[::-1]))
                    deal_set += 1

    def _refuse_too_few(self, bots: int) -> None:
        if bots < 2:
            raise ConfigError(
                f"this format needs at least 2 bots, not {bots}", where=f"schedule {self.name!r}"
            )


def _seated(pattern: Seats, bots: tuple[int, ...]) -> Seats:
    a, b, c, d = pattern
    return bots[a], bots[b], bots[c], bots[d]


HEAD_TO_HEAD = HeadToHead(
    "head-to-head",
    "every pair of bots, two seats each: the six seatings, each with its complement",
    TWO_AGAINST_TWO,
)
THREE_TO_ONE = HeadToHead(
    "aaab",
    "every pair of bots, three seats against one, each with its complement",
    THREE_AGAINST_ONE,
)
