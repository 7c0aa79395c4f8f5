"""One deal set as the test sees it: a paired difference of two matches on the same cards."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from arena.records import tenths_from_points
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
    """What two matches came to. `scores` are match totals in points, by seat, one list a table.

    They are compared in tenths, as integers: added up in points, equal ones could differ by a bit.
    """
    first, second = tenths = [[tenths_from_points(total) for total in totals] for totals in scores]
    difference = _mean(planned, tenths, CANDIDATE) - _mean(planned, tenths, BASE)
    return Observation(
        difference=difference / 10 / deals,
        gaps=tuple(
            gap / 10 / math.sqrt(deals)
            for seats, totals in zip(planned.tables, tenths, strict=True)
            for gap in _gaps(seats, totals)
        ),
        same=first == second,
    )


def _mean(planned: PairedSet, tenths: Sequence[Sequence[int]], player: int) -> float:
    """The mean match total, in tenths, of all seats that a player held in the set."""
    held = [
        total
        for seats, totals in zip(planned.tables, tenths, strict=True)
        for who, total in zip(seats, totals, strict=True)
        if who == player
    ]
    return sum(held) / len(held)


def _gaps(seats: Sequence[int], totals: Sequence[int]) -> list[int]:
    """Candidate against base where both sit at the table, else the tested one against the rest."""
    tested = CANDIDATE if CANDIDATE in seats else BASE
    mine = [total for who, total in zip(seats, totals, strict=True) if who == tested]
    others = [total for who, total in zip(seats, totals, strict=True) if who != tested]
    return [a - b for a in mine for b in others]
