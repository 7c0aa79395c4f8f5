"""Every table of a few bots: each combination of as many as there are seats, on cards of its own.

One orbit plays each combination once, as a deal set in which the bots move round the table, so that
each holds every hand. Four bots can sit in six orders round a table; combinations take the orders
in turn, so that after six orbits each combination of four has sat in all its 24 seatings. At a
table of two there is one order, and a deal set is the pair, both ways round.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from arena.errors import ConfigError
from arena.schedule.api import Seating, Seats
from arena.tables import FOUR
from arena.words import counted


@dataclass(frozen=True, slots=True)
class AllTables:
    """Each orbit plays every combination of as many bots as seats, turned through the seats."""

    name: str = "all-tables"
    summary: str = "every combination of as many bots as seats, in turn; for few bots"

    def seatings(self, bots: int, orbits: int, seed: str, seats: int = FOUR) -> Iterator[Seating]:
        _refuse_too_few(bots, seats)
        return _seatings(bots, orbits, seats)

    def count(self, bots: int, orbits: int, seats: int = FOUR) -> int:
        _refuse_too_few(bots, seats)
        return seats * math.comb(bots, seats) * orbits


def turned(table: Seats) -> Iterator[Seats]:
    """The table moved on by 0, 1, 2, … seats, until it is round."""
    for moved in range(len(table)):
        yield table[len(table) - moved :] + table[: len(table) - moved]


def order(number: int, seats: int) -> Seats:
    """The `number`th way (cyclically) to sit round a table: the first stays, the others change
    places, in the order of their numbers."""
    left = list(range(1, seats))
    number %= math.factorial(len(left))
    placed = [0]
    while left:
        place, number = divmod(number, math.factorial(len(left) - 1))
        placed.append(left.pop(place))
    return tuple(placed)


def _seatings(bots: int, orbits: int, seats: int) -> Iterator[Seating]:
    deal_set = 0
    for orbit in range(orbits):
        for number, group in enumerate(combinations(range(bots), seats)):
            sitting = tuple(group[place] for place in order(number + orbit, seats))
            for table in turned(sitting):
                yield Seating(deal_set, table)
            deal_set += 1


def _refuse_too_few(bots: int, seats: int) -> None:
    if bots < seats:
        raise ConfigError(
            f"all combinations of {seats} need at least {seats} bots, not {bots}",
            where="schedule 'all-tables'",
            mend=f"add {counted(seats - bots, 'bot')}, or take a schedule that doubles seats, "
            "'round-robin'",
        )
