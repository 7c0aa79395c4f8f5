"""Base tables, and the order in which a schedule develops them.

Theory of operation. Number the bots 0…n-1 on a circle. A *base table* (0, a, b, c) names who sits
in seats 0…3; shifting it by 0, 1, … n-1 (mod n) gives an *orbit* of n tables. In each seat the
shifts run through all bots, so in one orbit every bot sits exactly once in every seat, whatever
the base and whatever n. Two bots meet according to their distance on the circle alone: the six
differences inside a base say how often each distance meets in its orbit, and the four steps from
seat to seat (the last one leads back to seat 0) say how often a bot at that distance sits to
one's right. To balance a tournament it is therefore enough to balance a few counters for the
distances, and every bot is treated alike by construction.

Bases that move these counters alike are of one *kind* (rotations of a table, for example). The
next kind is chosen greedily: first one that takes neither spread, of meetings or of neighbours,
above 2; then the least sum over the n-1 differences of meetings² + 0.7 neighbourhoods²; then the
first. Within the kind the least used base is taken, so that tables keep changing. Costs are whole
numbers: the choice is the same on every machine.

All bases are candidates while they are at most 6,000, else a sample of 6,000 drawn from the
schedule's seed, with `random.Random(int(SHA-256(seed), 16)).random()` alone, the one method whose
sequence Python promises to keep from version to version. Bases whose orbit falls apart into
groups that never meet are left out, so that even one orbit joins all bots.
"""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Base = tuple[int, ...]

MOST_CANDIDATES = 6_000
PAIR_WEIGHT = 10
STEP_WEIGHT = 7
WIDEST_SPREAD = 2


def random_from(seed: str) -> random.Random:
    """The generator that belongs to a seed: equal seeds, equal sequences of `random()`."""
    return random.Random(int(hashlib.sha256(seed.encode()).hexdigest(), 16))


def distinct_bases(n: int, size: int, seed: str) -> tuple[Base, ...]:
    """Bases of `size` different bots out of n that join all bots: all in order, or a sample."""
    if math.perm(n - 1, size - 1) <= MOST_CANDIDATES:
        candidates: Iterator[Base] = ((0, *rest) for rest in permutations(range(1, n), size - 1))
    else:
        candidates = _sample(n, size, random_from(seed))
    return tuple(base for base in candidates if math.gcd(n, *base) == 1)


def _sample(n: int, size: int, rng: random.Random) -> Iterator[Base]:
    drawn = 0
    while drawn < MOST_CANDIDATES:
        base = (0, *(1 + int(rng.random() * (n - 1)) for _ in range(size - 1)))
        if len(set(base)) == size:
            drawn += 1
            yield base


def chosen(n: int, bases: Sequence[Base], *, closed: bool = True) -> Iterator[Base]:
    """Endlessly the next base of the choice described above.

    `closed` says that the last of a base sits beside the first, as at a full table.
    """
    kinds = _sorted_into_kinds(n, bases, closed)
    met = np.zeros(n // 2, dtype=np.int64)
    followed = np.zeros(n, dtype=np.int64)
    turns = [0] * len(kinds.members)
    while True:
        kind = _best(kinds, met, followed)
        met += kinds.meetings[kind]
        followed += kinds.steps[kind]
        members = kinds.members[kind]
        yield members[turns[kind] % len(members)]
        turns[kind] += 1


@dataclass(frozen=True, slots=True)
class _Kinds:
    """One kind a row: its bases, and what one orbit adds to each counter.

    `meetings` has a column for each distance 1…n//2, `steps` for each difference 0…n-1 (0 only
    where a bot sits beside itself). A distance stands for two differences, d and n-d, except n/2;
    `both_ways` is that factor. `own` is the cost of the kind when all counters are zero.
    """

    members: tuple[tuple[Base, ...], ...]
    meetings: Ints
    steps: Ints
    both_ways: Ints
    own: Ints


def _sorted_into_kinds(n: int, bases: Sequence[Base], closed: bool) -> _Kinds:
    groups: dict[tuple[Base, Base], list[Base]] = {}
    for base in bases:
        groups.setdefault(_effect(n, base, closed), []).append(base)
    distances = np.array([key[0] for key in groups])
    differences = np.array([key[1] for key in groups])
    meetings = _tally(distances, n // 2 + 1)[:, 1:]
    both_ways = np.full(n // 2, 2, dtype=np.int64)
    if n % 2 == 0:
        # The n shifts take an opposite pair twice to the same table.
        meetings[:, -1] *= 2
        both_ways[-1] = 1
    steps = _tally(differences, n)
    own = PAIR_WEIGHT * (meetings**2 @ both_ways) + STEP_WEIGHT * (steps**2).sum(axis=1)
    return _Kinds(tuple(map(tuple, groups.values())), meetings, steps, both_ways, own)


def _effect(n: int, base: Base, closed: bool) -> tuple[Base, Base]:
    """The distances that meet and the steps from seat to seat, both sorted."""
    differences = [(b - a) % n for a, b in combinations(base, 2)]
    after = (*base[1:], base[0]) if closed else base[1:]
    steps = [(b - a) % n for a, b in zip(base, after, strict=False)]
    return tuple(sorted(min(d, n - d) for d in differences)), tuple(sorted(steps))


def _tally(values: Ints, width: int) -> Ints:
    """Row by row, how often each of 0…width-1 occurs."""
    counts = np.zeros((len(values), width), dtype=np.int64)
    np.add.at(counts, (np.arange(len(values))[:, None], values), 1)
    return counts


def _best(kinds: _Kinds, met: Ints, followed: Ints) -> int:
    """The first kind of least excess and, among those, of least cost.

    (m + k)² - m² = 2mk + k²; what depends on the kind alone is already in `own`.
    """
    pairs, steps = kinds.meetings @ (met * kinds.both_ways), kinds.steps @ followed
    cost = kinds.own + 2 * (PAIR_WEIGHT * pairs + STEP_WEIGHT * steps)
    excess = _excess(kinds.meetings + met) + _excess((kinds.steps + followed)[:, 1:])
    return int(np.lexsort((cost, excess))[0])


def _excess(counts: Ints) -> Ints:
    """By row, how far the spread would go beyond the widest that is wanted."""
    over: Ints = np.maximum(counts.max(axis=1) - counts.min(axis=1) - WIDEST_SPREAD, 0)
    return over
