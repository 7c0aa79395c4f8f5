"""What every schedule keeps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Seating:
    """One match to come: the deal set it belongs to (from 0) and four bot indices, by seat.

    All seatings of one deal set are played on the same cards, and stand next to each other in
    the schedule's order.
    """

    deal_set: int
    seats: tuple[int, int, int, int]


class Schedule(Protocol):
    """A lazy, deterministic function of the number of bots, the length and a seed."""

    @property
    def name(self) -> str: ...

    def seatings(self, bots: int, orbits: int, seed: str) -> Iterator[Seating]:
        """The matches in order. Raises ConfigError if this schedule cannot seat so many bots."""
        ...

    def count(self, bots: int, orbits: int) -> int:
        """How many matches `seatings` will give, without making them."""
        ...
