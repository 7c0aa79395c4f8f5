"""The choice of base tables against one that counts everything anew for every candidate."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice

import pytest

from arena.schedule.bases import (
    PAIR_WEIGHT,
    STEP_WEIGHT,
    WIDEST_SPREAD,
    chosen,
    distinct_bases,
    repeating_bases,
)


def effect_of(base, n, closed):
    """What an orbit adds to the distances, and to the differences to the right neighbour."""
    met, steps = Counter(), Counter()
    for a, b in combinations(base, 2):
        distance = min((b - a) % n, (a - b) % n)
        # The shifts take two bots that face each other on the circle to the same table twice.
        met[distance] += 2 if 2 * distance == n else 1
    for a, b in zip(base, (*base[1:], base[0]) if closed else base[1:], strict=False):
        steps[(b - a) % n] += 1
    return met, steps


def badness(met, steps, n):
    """How far the spreads are beyond what is wanted, then the cost."""
    distances = [met[d] for d in range(1, n // 2 + 1)]
    differences = [steps[d] for d in range(1, n)]
    over = [
        max(0, max(counts) - min(counts) - WIDEST_SPREAD) for counts in (distances, differences)
    ]
    pairs = sum(met[min(d, n - d)] ** 2 for d in range(n))
    return sum(over), PAIR_WEIGHT * pairs + STEP_WEIGHT * sum(c * c for c in steps.values())


def slowly_chosen(n, bases, closed):
    kinds = {}
    for base in bases:
        met, steps = effect_of(base, n, closed)
        kinds.setdefault((frozenset(met.items()), frozenset(steps.items())), []).append(base)
    kinds, turns = list(kinds.values()), Counter()
    met, steps = Counter(), Counter()
    while True:
        effects = [effect_of(members[0], n, closed) for members in kinds]
        worst = [badness(met + more, steps + after, n) for more, after in effects]
        best = worst.index(min(worst))
        met, steps = met + effects[best][0], steps + effects[best][1]
        yield kinds[best][turns[best] % len(kinds[best])]
        turns[best] += 1


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("n", [4, 5, 6, 7, 8, 9, 12, 13])
def test_the_choice_is_the_one_that_counting_everything_makes(n, closed):
    bases = distinct_bases(n, 4 if closed else 3, "seed")
    orbits = 4 * n if n < 10 else 10
    expected = list(islice(slowly_chosen(n, bases, closed), orbits))
    assert list(islice(chosen(n, bases, closed=closed), orbits)) == expected


def test_the_choice_for_three_bots_too():
    bases = repeating_bases(3, 4, "a seed")
    expected = list(islice(slowly_chosen(3, bases, True), 40))
    assert list(islice(chosen(3, bases), 40)) == expected
