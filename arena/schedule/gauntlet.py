"""The gauntlet: new bots against a pool whose strength is known already.

The first bots (`challengers`, one by default) are new, the others are the pool. Pool bots do not
play for their own sake: at each table sits one challenger with three of the pool. A deal set is
such a table turned through the four seats, so that the challenger, and each of its opponents,
holds every hand. In an orbit each challenger meets as many triples as the pool has bots: the
shifts of a base triple, chosen as the bases of the cyclic round robin are (bases.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from arena.errors import ConfigError
from arena.schedule.all_tables import turned
from arena.schedule.api import Seating
from arena.schedule.bases import chosen, distinct_bases

FEWEST_IN_POOL = 3


@dataclass(frozen=True, slots=True)
class Gauntlet:
    """Each orbit takes every challenger round the pool, in all four seats on the same cards."""

    challengers: int = 1
    name: str = "gauntlet"
    summary: str = "the first bot against triples of the others, in all four seats on equal cards"

    def seatings(self, bots: int, orbits: int, seed: str) -> Iterator[Seating]:
        return self._seatings(self._pool(bots), orbits, seed)

    def count(self, bots: int, orbits: int) -> int:
        return 4 * self.challengers * self._pool(bots) * orbits

    def _seatings(self, pool: int, orbits: int, seed: str) -> Iterator[Seating]:
        bases = chosen(pool, distinct_bases(pool, 3, seed), closed=False)
        deal_set = 0
        for base in islice(bases, orbits):
            for shift in range(pool):
                right, across, left = (self.challengers + (bot + shift) % pool for bot in base)
                for challenger in range(self.challengers):
                    for seats in turned((challenger, right, across, left)):
                        yield Seating(deal_set, seats)
                    deal_set += 1

    def _pool(self, bots: int) -> int:
        if self.challengers < 1:
            raise ConfigError(
                f"a gauntlet needs at least one challenger, not {self.challengers}",
                where="schedule 'gauntlet'",
            )
        pool = bots - self.challengers
        if pool < FEWEST_IN_POOL:
            raise ConfigError(
                f"a gauntlet needs a pool of at least {FEWEST_IN_POOL} bots, not {max(pool, 0)}",
                where="schedule 'gauntlet'",
                mend="add bots, "
                + ("name fewer `challengers`, " if self.challengers > 1 else "")
                + "or take the schedule 'head-to-head'",
            )
        return pool
