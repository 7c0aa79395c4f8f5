"""One deal set as the test sees it: a paired difference of two matches on the same cards."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from arena.regress.plan import BASE, CANDIDATE, PairedSet


@dataclass(frozen=True, slots=True)
class Observation:
    """`difference` is candidate minus base, in points a deal.

    `gaps` are differences between a tested seat and another at the same table, by match total over
    the square root of its deals: their spread makes points into Elo. `same` says that both
    matches ended alike, seat for seat.
    """

    difference: float
    gaps: tuple[float, ...]
    same: bool


def observe(planned: PairedSet, scores: Sequence[Sequence[float]], deals: int) -> Observation:
    """What two matches came to. `scores` are match totals in points, by seat, one list a table."""
    first, second = scores
    return Observation(
        difference=(_mean(planned, scores, CANDIDATE) - _mean(planned, scores, BASE)) / deals,
        gaps=tuple(
            gap / math.sqrt(deals)
            for seats, totals in zip(planned.tables, scores, strict=True)
            for gap in _gaps(seats, totals)
        ),
        same=list(first) == list(second),
    )


def _mean(planned: PairedSet, scores: Sequence[Sequence[float]], player: int) -> float:
    """The mean match total of all seats that a player held in the set."""
    held = [
        total
        for seats, totals in zip(planned.tables, scores, strict=True)
        for who, total in zip(seats, totals, strict=True)
        if who == player
    ]
    return sum(held) / len(held)


def _gaps(seats: Sequence[int], totals: Sequence[float]) -> list[float]:
    """Candidate against base where both sit at the table, else the tested one against the rest."""
    tested = CANDIDATE if CANDIDATE in seats else BASE
    mine = [total for who, total in zip(seats, totals, strict=True) if who == tested]
    others = [total for who, total in zip(seats, totals, strict=True) if who != tested]
    return [a - b for a in mine for b in others]
