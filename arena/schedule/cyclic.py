"""The round robin of cyclic orbits: the default format, for any number of bots from 2.

One orbit is one deal set: all its n tables are played on the same cards. Each bot sits once in
each seat, so every bot plays every hand of these cards once, and no process that is kept for one
bot and one seat sees a deal twice (law.py). How base tables are chosen stands in bases.py.

With fewer bots than seats some sit more than once at a table, each as often as the others or once
more, and all of the above still holds, since the shifts of any base run through all bots in each
seat. At a table of four two bots take ABAB, AABB and ABBA in turn; three bots double one of them,
each as often as the others in every orbit.

Tables of two are paired instead, because chance cancels best if the two exchange their seats on the
same cards: an orbit takes a distance on the circle of bots, seats every two bots that far apart
both ways round, and each such pair is a deal set of its own. The distances take turns, so that
⌊n/2⌋ orbits play every pair once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, count, cycle, islice

from arena.errors import ConfigError
from arena.schedule.api import Seating, Seats
from arena.schedule.bases import chosen, distinct_bases, repeating_bases
from arena.tables import FOUR

TWO_BOTS: tuple[Seats, ...] = ((0, 1, 0, 1), (0, 0, 1, 1), (0, 1, 1, 0))
MOST_BOTS = 10_000


@dataclass(frozen=True, slots=True)
class Cyclic:
    """Each orbit seats every bot once in every seat, on one set of deals."""

    name: str = "round-robin"
    summary: str = "round robin of cyclic orbits; one deal set an orbit; any number of bots from 2"

    def seatings(self, bots: int, orbits: int, seed: str, seats: int = FOUR) -> Iterator[Seating]:
        _refuse_wrong_field(bots)
        if seats == 2:
            return _paired(bots, orbits)
        return chain.from_iterable(
            orbit(base, bots, deal_set)
            for deal_set, base in enumerate(islice(base_tables(bots, seed, seats), orbits))
        )

    def count(self, bots: int, orbits: int, seats: int = FOUR) -> int:
        _refuse_wrong_field(bots)
        if seats == 2:
            half = bots // 2
            rounds, left = divmod(orbits, half)
            return rounds * bots * (bots - 1) + sum(_pairs(bots, d) for d in range(1, left + 1)) * 2
        return bots * orbits


def base_tables(bots: int, seed: str, seats: int = FOUR) -> Iterator[Seats]:
    """Endlessly the base table of each orbit."""
    if (bots, seats) == (2, FOUR):
        return cycle(TWO_BOTS)
    if bots < seats:
        return chosen(bots, repeating_bases(bots, seats, seed))
    return chosen(bots, distinct_bases(bots, seats, seed, joined=seats == FOUR))


def orbit(base: Seats, bots: int, deal_set: int) -> Iterator[Seating]:
    """The n shifts of a base table."""
    for shift in range(bots):
        yield Seating(deal_set, tuple((bot + shift) % bots for bot in base))


def _paired(bots: int, orbits: int) -> Iterator[Seating]:
    """Every two bots at the distance whose turn it is, both ways round on the same cards."""
    deal_set = count()
    for distance in islice(cycle(range(1, bots // 2 + 1)), orbits):
        for bot in range(_pairs(bots, distance)):
            number, other = next(deal_set), (bot + distance) % bots
            yield Seating(number, (bot, other))
            yield Seating(number, (other, bot))


def _pairs(bots: int, distance: int) -> int:
    """How many pairs of bots are that far apart on the circle."""
    return distance if 2 * distance == bots else bots


def _refuse_wrong_field(bots: int) -> None:
    if not 2 <= bots <= MOST_BOTS:
        raise ConfigError(
            f"a cyclic round robin takes 2 to {MOST_BOTS:,} bots, not {bots}",
            where="schedule 'round-robin'",
        )
