"""The deal sets of a regression test as a schedule, so that they are played as any tournament.

Bot 0 is the candidate, 1 the base; a field comes twice (arena/regress/plan.py says why). What a
tournament calls orbits are here deal sets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from arena.errors import ConfigError
from arena.regress.plan import paired_sets, players
from arena.schedule.api import Seating
from arena.tables import FOUR


@dataclass(frozen=True, slots=True)
class PairedSchedule:
    """Two matches a deal set, against a field of `field` bots or, without one, a duel."""

    field: int = 0
    name: str = "regress"
    summary: str = "candidate against base on the same cards, set by set"

    def seatings(self, bots: int, orbits: int, seed: str, seats: int = FOUR) -> Iterator[Seating]:
        self._refuse_other_than_planned(bots)
        return (
            Seating(planned.number, table)
            for planned in islice(paired_sets(self.field, seats), orbits)
            for table in planned.tables
        )

    def count(self, bots: int, orbits: int, seats: int = FOUR) -> int:
        self._refuse_other_than_planned(bots)
        return 2 * orbits

    def _refuse_other_than_planned(self, bots: int) -> None:
        if bots != players(self.field):
            raise ConfigError(
                f"a test against {self.field} others seats {players(self.field)} players, "
                f"not {bots}",
                where=f"schedule {self.name!r}",
            )
