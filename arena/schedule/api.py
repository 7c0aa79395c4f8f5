"""What every schedule keeps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from arena.tables import FOUR

Seats = tuple[int, ...]
"""Bot indices, by seat."""


@dataclass(frozen=True, slots=True)
class Seating:
    """One match to come: the deal set it belongs to (from 0) and who sits where.

    All seatings of one deal set are played on the same cards, and stand next to each other in
    the schedule's order. In one deal set no bot sits twice in the same seat (law.py says why).
    """

    deal_set: int
    seats: Seats


class Schedule(Protocol):
    """A lazy, deterministic function of the number of bots, the length, a seed and the seats.

    `seats` is the size of a table. A schedule that leaves the parameter out plays tables of four.
    """

    @property
    def name(self) -> str: ...

    @property
    def summary(self) -> str:
        """One line for `arena plugins`."""
        ...

    def seatings(self, bots: int, orbits: int, seed: str, seats: int = FOUR) -> Iterator[Seating]:
        """The matches in order; those of fewer orbits are the beginning of those of more.

        Raises ConfigError if this schedule cannot seat so many bots.
        """
        ...

    def count(self, bots: int, orbits: int, seats: int = FOUR) -> int:
        """How many matches `seatings` will give, without making them."""
        ...
