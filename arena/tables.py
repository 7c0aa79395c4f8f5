"""Ways for two bots to divide the seats of a table: for schedules and for regression tests."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Final

FOUR: Final = 4
"""The size of a table unless a game says otherwise."""

MOST_PATTERNS = 20
"""Large tables have thousands of ways to divide the seats; `equal_shares` gives so many at most."""


@cache
def equal_shares(seats: int) -> tuple[tuple[int, ...], ...]:
    """The ways to divide the seats equally (bar one) between bots 0 and 1, up to an exchange of the
    two, those in which they alternate most first: MOST_PATTERNS of them at most, spread over all.
    """
    patterns = [
        tuple(0 if seat in (0, *others) else 1 for seat in range(seats))
        for size in sorted({seats // 2, (seats + 1) // 2})
        for others in combinations(range(1, seats), size - 1)
    ]
    patterns.sort(key=lambda pattern: (-_changes(pattern), pattern))
    return tuple(patterns[:: -(-len(patterns) // MOST_PATTERNS)])


@cache
def all_but_one(seats: int) -> tuple[tuple[int, ...], ...]:
    """All seats but one to bot 0, with bot 1 in each seat in turn, from the last on."""
    patterns = [
        tuple(int(seat == single) for seat in range(seats)) for single in reversed(range(seats))
    ]
    # At a table of two the exchange of the first pattern is the second.
    return tuple(patterns[:1] if seats == 2 else patterns)


def _changes(pattern: tuple[int, ...]) -> int:
    """How often the bot changes from seat to seat, round the table."""
    return sum(a != b for a, b in zip(pattern, (*pattern[1:], pattern[0]), strict=True))
