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
    groups: dict[tuple[Base, Base], list[Base]] = {}
    for base in bases:
        groups.setdefault(_effect(n, base, closed), []).append(base)
    met = _meetings(n, np.array([distances for distances, _ in groups]))
    followed = _neighbours(n, np.array([steps for _, steps in groups]))
    kinds = list(groups.values())
    turns = [0] * len(kinds)
    while True:
        # The first kind of least excess and, among those, of least cost.
        cost = PAIR_WEIGHT * met.cost() + STEP_WEIGHT * followed.cost()
        kind = int(np.lexsort((cost, met.excess() + followed.excess()))[0])
        met.add(kind)
        followed.add(kind)
        yield kinds[kind][turns[kind] % len(kinds[kind])]
        turns[kind] += 1


def _effect(n: int, base: Base, closed: bool) -> tuple[Base, Base]:
    """The distances that meet and the steps from seat to seat, both sorted."""
    differences = [(b - a) % n for a, b in combinations(base, 2)]
    after = (*base[1:], base[0]) if closed else base[1:]
    steps = [(b - a) % n for a, b in zip(base, after, strict=False)]
    return tuple(sorted(min(d, n - d) for d in differences)), tuple(sorted(steps))


@dataclass(frozen=True, slots=True)
class _Tally:
    """Counters, and what an orbit of each kind would do to them.

    Row k of `moved` (kinds x a few) lists the counters that kind k moves, one as often as it is
    moved, by the number in `by`; `gains` is by how much in all. Few of many counters move, so this
    is small however many bots there are. `worth` is how many differences a counter stands for;
    counters worth nothing do not belong to the spread.
    """

    counts: Ints
    worth: Ints
    moved: Ints
    by: Ints
    gains: Ints

    def add(self, kind: int) -> None:
        """An orbit of that kind is played."""
        np.add.at(self.counts, self.moved[kind], self.by[kind])

    def cost(self) -> Ints:
        """By kind, how much the sum of squares over all differences would grow."""
        # (m + k)^2 - m^2 = (2m + k) k, and k is the sum of `by` over the times it is listed.
        growth = (2 * self.counts[self.moved] + self.gains) * self.by
        total: Ints = (growth * np.maximum(self.worth, 1)[self.moved]).sum(axis=1)
        return total

    def excess(self) -> Ints:
        """By kind, how far the spread would go beyond the widest that is wanted."""
        spread = self.counts[self.worth > 0]
        after = self.counts[self.moved] + self.gains
        outside = self.worth[self.moved] == 0
        highest = np.where(outside, spread.max(), after).max(axis=1, initial=spread.max())
        lowest = np.where(outside, _FAR, after).min(axis=1)
        over: Ints = np.maximum(highest - np.minimum(lowest, self._unmoved()) - WIDEST_SPREAD, 0)
        return over

    def _unmoved(self) -> Ints:
        """By kind, the lowest of the counters that it does not move."""
        # One more than a kind can move: one of them at least stays, if there are so many.
        some = self.moved.shape[1] + 1
        ranked = np.argsort(np.where(self.worth > 0, self.counts, _FAR), kind="stable")[:some]
        moves = (self.moved[:, :, None] == ranked).any(axis=1)
        values = np.where(self.worth[ranked] > 0, self.counts[ranked], _FAR)
        lowest: Ints = np.where(moves, _FAR, values).min(axis=1)
        return lowest


_FAR = 2**62


def _tally(worth: Ints, moved: Ints, by: Ints) -> _Tally:
    gains = ((moved[:, :, None] == moved[:, None, :]) * by[:, None, :]).sum(axis=2)
    return _Tally(np.zeros(len(worth), dtype=np.int64), worth, moved, by, gains)


def _meetings(n: int, distances: Ints) -> _Tally:
    """How often bots at each distance meet; a distance stands for two differences, d and n-d."""
    worth = np.full(n // 2 + 1, 2, dtype=np.int64)
    worth[0] = 0
    by = np.ones_like(distances)
    if n % 2 == 0:
        # n/2 is one difference only, and the n shifts take an opposite pair twice to a table.
        worth[-1] = 1
        by[distances == n // 2] = 2
    return _tally(worth, distances, by)


def _neighbours(n: int, steps: Ints) -> _Tally:
    """How often each difference is the step to the right; 0 where a bot sits beside itself."""
    worth = np.ones(n, dtype=np.int64)
    worth[0] = 0
    return _tally(worth, steps, np.ones_like(steps))
