"""The gauntlet: new bots against a pool whose strength is known already.

The first bots (`challengers`, one by default) are new, the others are the pool. Pool bots do not
play for their own sake: at each table sits one challenger, and the pool fills the other seats. A
deal set is such a table turned through all seats, so that the challenger, and each of its
opponents, holds every hand. In an orbit each challenger meets as many groups of opponents as the
pool has bots: the shifts of a base group, chosen as the bases of the cyclic round robin are
(bases.py). At a table of two that is every bot of the pool, both ways round.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, repeat

from arena.errors import ConfigError
from arena.schedule.all_tables import turned
from arena.schedule.api import Seating, Seats
from arena.schedule.bases import chosen, distinct_bases
from arena.tables import FOUR


@dataclass(frozen=True, slots=True)
class Gauntlet:
    """Each orbit takes every challenger round the pool, in all seats on the same cards."""

    challengers: int = 1
    name: str = "gauntlet"
    summary: str = "the first bot against groups of the others, in all seats on equal cards"

    def seatings(self, bots: int, orbits: int, seed: str, seats: int = FOUR) -> Iterator[Seating]:
        return self._seatings(self._pool(bots, seats), orbits, seed, seats)

    def count(self, bots: int, orbits: int, seats: int = FOUR) -> int:
        return seats * self.challengers * self._pool(bots, seats) * orbits

    def _seatings(self, pool: int, orbits: int, seed: str, seats: int) -> Iterator[Seating]:
        deal_set = 0
        for base in islice(_groups(pool, seats - 1, seed), orbits):
            for shift in range(pool):
                others = tuple(self.challengers + (bot + shift) % pool for bot in base)
                for challenger in range(self.challengers):
                    for table in turned((challenger, *others)):
                        yield Seating(deal_set, table)
                    deal_set += 1

    def _pool(self, bots: int, seats: int) -> int:
        if self.challengers < 1:
            raise ConfigError(
                f"a gauntlet needs at least one challenger, not {self.challengers}",
                where="schedule 'gauntlet'",
            )
        pool, fewest = bots - self.challengers, seats - 1
        if pool < fewest:
            raise ConfigError(
                f"a gauntlet needs a pool of at least {fewest} bots, not {max(pool, 0)}",
                where="schedule 'gauntlet'",
                mend="add bots, "
                + ("name fewer `challengers`, " if self.challengers > 1 else "")
                + "or take the schedule 'head-to-head'",
            )
        return pool


def _groups(pool: int, size: int, seed: str) -> Iterator[Seats]:
    """Endlessly the opponents of the first table of an orbit."""
    if size == 1:
        return repeat((0,))
    bases = distinct_bases(pool, size, seed, joined=size + 1 == FOUR)
    return chosen(pool, bases, closed=False)
