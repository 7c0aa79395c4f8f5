"""Every four of a few bots: each combination is a table of its own, on cards of its own.

One orbit plays each combination once, as a deal set of four matches in which the four bots move
round the table, so that each holds every hand. A circle of four has six orders; combinations take
them in turn, so that after six orbits each combination has sat in all its 24 seatings.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations

from arena.errors import ConfigError
from arena.schedule.api import Seating, Seats

ORDERS: tuple[Seats, ...] = tuple((0, b, c, d) for b, c, d in permutations((1, 2, 3)))


@dataclass(frozen=True, slots=True)
class AllTables:
    """Each orbit plays every combination of four bots, turned through the four seats."""

    name: str = "all-tables"
    summary: str = "every combination of four bots in turn; for few bots"

    def seatings(self, bots: int, orbits: int, seed: str) -> Iterator[Seating]:
        _refuse_too_few(bots)
        return _seatings(bots, orbits)

    def count(self, bots: int, orbits: int) -> int:
        _refuse_too_few(bots)
        return 4 * math.comb(bots, 4) * orbits


def turned(table: Seats) -> Iterator[Seats]:
    """The table moved on by 0, 1, 2 and 3 seats."""
    a, b, c, d = table
    yield from ((a, b, c, d), (d, a, b, c), (c, d, a, b), (b, c, d, a))


def _seatings(bots: int, orbits: int) -> Iterator[Seating]:
    deal_set = 0
    for orbit in range(orbits):
        for number, four in enumerate(combinations(range(bots), 4)):
            a, b, c, d = ORDERS[(number + orbit) % len(ORDERS)]
            for seats in turned((four[a], four[b], four[c], four[d])):
                yield Seating(deal_set, seats)
            deal_set += 1


def _refuse_too_few(bots: int) -> None:
    if bots < 4:
        raise ConfigError(
            f"all combinations of four need at least 4 bots, not {bots}",
            where="schedule 'all-tables'",
            mend="take the schedule 'round-robin', which doubles seats",
        )
