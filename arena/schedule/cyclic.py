"""The round robin of cyclic orbits: the default format, for any number of bots from 2.

One orbit is one deal set: all its n tables are played on the same cards. Each bot sits once in
each seat, so every bot plays every hand of these cards once, and no process that is kept for one
bot and one seat sees a deal twice (law.py). How base tables are chosen stands in bases.py.

With two or three bots some sit more than once at a table, and all of the above still holds, since
the shifts of any base run through all bots in each seat. Two bots take ABAB, AABB and ABBA in
turn; three bots double one of them at a table, each as often as the others in every orbit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, cycle, islice, permutations

from arena.errors import ConfigError
from arena.schedule.api import Seating, Seats
from arena.schedule.bases import Base, chosen, distinct_bases

TWO_BOTS: tuple[Seats, ...] = ((0, 1, 0, 1), (0, 0, 1, 1), (0, 1, 1, 0))
THREE_BOTS: tuple[Seats, ...] = tuple(
    sorted(
        {
            (0, b, c, d)
            for double in range(3)
            for a, b, c, d in permutations((0, 1, 2, double))
            if a == 0
        }
    )
)
MOST_BOTS = 10_000


@dataclass(frozen=True, slots=True)
class Cyclic:
    """Each orbit seats every bot once in every seat, on one set of deals."""

    name: str = "round-robin"
    summary: str = "round robin of cyclic orbits; one deal set an orbit; any number of bots from 2"

    def seatings(self, bots: int, orbits: int, seed: str) -> Iterator[Seating]:
        _refuse_wrong_field(bots)
        return chain.from_iterable(
            orbit(base, bots, deal_set)
            for deal_set, base in enumerate(islice(base_tables(bots, seed), orbits))
        )

    def count(self, bots: int, orbits: int) -> int:
        _refuse_wrong_field(bots)
        return bots * orbits


def base_tables(bots: int, seed: str) -> Iterator[Seats]:
    """Endlessly the base table of each orbit."""
    if bots == 2:
        return cycle(TWO_BOTS)
    bases = THREE_BOTS if bots == 3 else distinct_bases(bots, 4, seed)
    return map(_seats, chosen(bots, bases))


def orbit(base: Seats, bots: int, deal_set: int) -> Iterator[Seating]:
    """The n shifts of a base table."""
    for shift in range(bots):
        yield Seating(deal_set, _seats(tuple((bot + shift) % bots for bot in base)))


def _seats(bots: Base) -> Seats:
    a, b, c, d = bots
    return a, b, c, d


def _refuse_wrong_field(bots: int) -> None:
    if not 2 <= bots <= MOST_BOTS:
        raise ConfigError(
            f"a cyclic round robin takes 2 to {MOST_BOTS:,} bots, not {bots}",
            where="schedule 'round-robin'",
        )
