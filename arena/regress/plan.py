"""The deal sets of a test, endlessly: two matches each, on the same cards.

In a *duel* candidates and bases share a table, as equally as its seats allow, and the second match
exchanges them; the ways to sit take turns (at a table of four 0101, 0011, 0110 and their
complements; at a table of two 01 and 10).

Against a *field* the candidate sits with bots of the field, three at a table of four, and the base
then sits in the same seat with the same ones. Only what the two make of the same cards and company
differs. The field plays both matches, and would know all hands in the second one if the same
processes played it; each of its bots therefore comes as two players, one for either table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count, islice, permutations, product

from arena.tables import FOUR, equal_shares

CANDIDATE, BASE, FIRST_OF_FIELD = 0, 1, 2

Table = tuple[int, ...]

MOST_WAYS = 5_040
"""So many orders of a field's opponents take turns at most; large tables have far more."""


@dataclass(frozen=True, slots=True)
class PairedSet:
    """The `number`th deal set (from 0) and its two tables: players by seat.

    Player 0 is the candidate, 1 the base. Of a field of f bots, 2…f+1 play beside the candidate
    and f+2…2f+1, the same bots in the same order, beside the base.
    """

    number: int
    tables: tuple[Table, Table]


def paired_sets(field: int = 0, seats: int = FOUR) -> Iterator[PairedSet]:
    """The plan for a duel, or against a field of so many bots, at tables of so many seats."""
    return (
        PairedSet(number, _against(field, number, seats) if field else _duel(number, seats))
        for number in count()
    )


def players(field: int) -> int:
    """How many players the plan seats."""
    return FIRST_OF_FIELD + 2 * field


def _duel(number: int, seats: int) -> tuple[Table, Table]:
    ways = equal_shares(seats)
    second = ways[number % len(ways)]  # 1 where the base sits in the first match
    return (
        tuple(BASE if base else CANDIDATE for base in second),
        tuple(CANDIDATE if base else BASE for base in second),
    )


def _against(field: int, number: int, seats: int) -> tuple[Table, Table]:
    """The tested seat moves with every set, then who of the field begins, then who follows."""
    seat, turn = number % seats, number // seats
    ways = _ways(field, seats - 2)
    steps = (0, *ways[turn // field % len(ways)])
    others = tuple(FIRST_OF_FIELD + (turn + step) % field for step in steps)
    beside_base = tuple(bot + field for bot in others)
    return _seated(CANDIDATE, others, seat), _seated(BASE, beside_base, seat)


@cache
def _ways(field: int, followers: int) -> tuple[tuple[int, ...], ...]:
    """Who may follow the first of the field, as steps from it. In a field too small for different
    opponents some play two seats or more, and each of them at least one."""
    if field > followers:
        found: Iterator[tuple[int, ...]] = permutations(range(1, field), followers)
    else:
        everyone = set(range(field))
        repeated = product(range(field), repeat=followers)
        found = (steps for steps in repeated if everyone <= {0, *steps})
    return tuple(islice(found, MOST_WAYS))


def _seated(tested: int, others: tuple[int, ...], seat: int) -> Table:
    return (*others[:seat], tested, *others[seat:])
