"""The deal sets of a test, endlessly: two matches each, on the same cards.

In a *duel* two candidates and two bases share a table, and the second match exchanges them; the
three ways to sit (0101, 0011, 0110 and their complements) take turns.

Against a *field* the candidate sits with three bots of the field, and the base then sits in the
same seat with the same three. Only what the two make of the same cards and company differs. The
field plays both matches, and would know all hands in the second one if the same processes played
it; each of its bots therefore comes as two players, one for either table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, permutations

CANDIDATE, BASE, FIRST_OF_FIELD = 0, 1, 2

Table = tuple[int, int, int, int]

_DUELS: tuple[Table, ...] = (
    (CANDIDATE, BASE, CANDIDATE, BASE),
    (CANDIDATE, CANDIDATE, BASE, BASE),
    (CANDIDATE, BASE, BASE, CANDIDATE),
)
_COMPLEMENT = {CANDIDATE: BASE, BASE: CANDIDATE}


@dataclass(frozen=True, slots=True)
class PairedSet:
    """The `number`th deal set (from 0) and its two tables: players by seat.

    Player 0 is the candidate, 1 the base. Of a field of f bots, 2…f+1 play beside the candidate
    and f+2…2f+1, the same bots in the same order, beside the base.
    """

    number: int
    tables: tuple[Table, Table]


def paired_sets(field: int = 0) -> Iterator[PairedSet]:
    """The plan for a duel, or against a field of so many bots."""
    return (
        PairedSet(number, _against(field, number) if field else _duel(number)) for number in count()
    )


def players(field: int) -> int:
    """How many players the plan seats."""
    return FIRST_OF_FIELD + 2 * field


def _duel(number: int) -> tuple[Table, Table]:
    a, b, c, d = _DUELS[number % len(_DUELS)]
    return (a, b, c, d), (_COMPLEMENT[a], _COMPLEMENT[b], _COMPLEMENT[c], _COMPLEMENT[d])


def _against(field: int, number: int) -> tuple[Table, Table]:
    """The tested seat moves with every set, then who of the field begins, then who follows."""
    seat, turn = number % 4, number // 4
    ways = _STEPS.get(field) or tuple(permutations(range(1, field), 2))
    steps = (0, *ways[turn // field % len(ways)])
    trio = [FIRST_OF_FIELD + (turn + step) % field for step in steps]
    return _seated(CANDIDATE, trio, seat), _seated(BASE, [bot + field for bot in trio], seat)


_STEPS: dict[int, tuple[tuple[int, int], ...]] = {1: ((0, 0),), 2: ((0, 1), (1, 0), (1, 1))}
"""Fields too small for three different opponents: some play two seats or all three."""


def _seated(tested: int, trio: list[int], seat: int) -> Table:
    seats = [*trio[:seat], tested, *trio[seat:]]
    return seats[0], seats[1], seats[2], seats[3]
