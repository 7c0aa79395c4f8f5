"""Two bots at a table, and every pair of the field in turn.

A deal set holds a seating and its complement, the two bots exchanged: whatever one is dealt, the
other is dealt the same, which is what makes the difference of two bots cheap to measure. More
matches on the same cards would repeat luck that has cancelled already, so further seatings get
fresh cards; nor does a bot sit twice in one seat on the same cards (law.py).

`head-to-head` divides the seats between the two as equally as they can be: at a table of four the
six seatings of two against two, ABAB, AABB, ABBA and their complements; at a table of two AB and
BA. `aaab` gives all seats but one to one bot, with the single bot in each of the seats: AAAB with
BBBA, and so on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

from arena.errors import ConfigError
from arena.schedule.api import Seating, Seats
from arena.tables import FOUR, all_but_one, equal_shares


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Each orbit plays every pair of bots through all patterns, each with its complement."""

    name: str
    summary: str
    patterns: Callable[[int], tuple[Seats, ...]]

    def seatings(self, bots: int, orbits: int, seed: str, seats: int = FOUR) -> Iterator[Seating]:
        self._refuse_too_few(bots)
        return self._seatings(bots, orbits, seats)

    def count(self, bots: int, orbits: int, seats: int = FOUR) -> int:
        self._refuse_too_few(bots)
        return 2 * len(self.patterns(seats)) * math.comb(bots, 2) * orbits

    def _seatings(self, bots: int, orbits: int, seats: int) -> Iterator[Seating]:
        deal_set = 0
        for _ in range(orbits):
            for pattern in self.patterns(seats):
                for a, b in combinations(range(bots), 2):
                    yield Seating(deal_set, tuple(b if place else a for place in pattern))
                    yield Seating(deal_set, tuple(a if place else b for place in pattern))
                    deal_set += 1

    def _refuse_too_few(self, bots: int) -> None:
        if bots < 2:
            raise ConfigError(
                f"this format needs at least 2 bots, not {bots}", where=f"schedule {self.name!r}"
            )


HEAD_TO_HEAD = HeadToHead(
    "head-to-head",
    "every pair of bots, half of the seats each: all seatings, each with its complement",
    equal_shares,
)
THREE_TO_ONE = HeadToHead(
    "aaab",
    "every pair of bots, all seats but one against one, each with its complement",
    all_but_one,
)
