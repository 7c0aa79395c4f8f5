"""Base tables, and the order in which a schedule develops them.

Theory of operation. Number the bots 0…n-1 on a circle. A *base table* (0, a, b, c) names who sits
in seats 0…3; shifting it by 0, 1, … n-1 (mod n) gives an *orbit* of n tables. In each seat the
shifts run through all bots, so in one orbit every bot sits exactly once in every seat, whatever
the base, whatever n and however many seats. Two bots meet according to their distance on the circle
alone: the six differences inside a base of four say how often each distance meets in its orbit, and
the four steps from seat to seat (the last one leads back to seat 0) say how often a bot at that
distance sits to one's right. To balance a tournament it is therefore enough to balance a few
counters for the distances, and every bot is treated alike by construction.

Bases that move these counters alike are of one *kind* (rotations of a table, for example). The
next kind is chosen greedily: first one that takes neither spread, of meetings or of neighbours,
above 2; then the least sum over the n-1 differences of meetings² + 0.7 neighbourhoods²; then the
first. Within the kind the least used base is taken, so that tables keep changing. Costs are whole
numbers: the choice is the same on every machine.

All bases are candidates while they are at most 6,000 (fewer for tables of more than four, so that
no choice takes longer), else a sample of so many drawn from the schedule's seed, with
`random.Random(int(SHA-256(seed), 16)).random()` alone, the one method whose sequence Python
promises to keep from version to version. The first orbit joins all bots, so that even one suffices
for a board. At tables of four no base falls apart into groups that never meet; at other tables such
bases are candidates from the second orbit on, since without them odd distances would meet more
often than even ones.
"""

from __future__ import annotations

import hashlib
import math
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from arena.tables import FOUR

Ints = NDArray[np.int64]
Base = tuple[int, ...]

MOST_CANDIDATES = 6_000
PAIR_WEIGHT = 10
STEP_WEIGHT = 7
WIDEST_SPREAD = 2


def random_from(seed: str) -> random.Random:
    """The generator that belongs to a seed: equal seeds, equal sequences of `random()`."""
    return random.Random(int(hashlib.sha256(seed.encode()).hexdigest(), 16))


def distinct_bases(n: int, size: int, seed: str, *, joined: bool = True) -> tuple[Base, ...]:
    """Bases of `size` different bots out of n, only those that join all bots if they are to be
    `joined`: all in order, or a sample."""
    if math.perm(n - 1, size - 1) <= _most(size):
        candidates: Iterator[Base] = ((0, *rest) for rest in permutations(range(1, n), size - 1))
    elif size <= FOUR:
        candidates = _sample(n, size, random_from(seed))
    else:
        rng = random_from(seed)
        candidates = ((0, *_shuffled(range(1, n), rng)[: size - 1]) for _ in range(_most(size)))
    return tuple(base for base in candidates if not joined or _joins(n, base))


def _joins(n: int, base: Base) -> bool:
    """Whether the orbit of the base joins all bots, if only through others."""
    return math.gcd(n, *base) == 1


def repeating_bases(n: int, size: int, seed: str) -> tuple[Base, ...]:
    """Bases of n bots for more seats than bots, each as often as the others or once more: all in
    order, or a sample."""
    each, left = divmod(size, n)
    tables = []
    for more in combinations(range(n), left):
        held = Counter({bot: each + (bot in more) for bot in range(n)})
        held[0] -= 1
        tables.append(held)
    ways = sum(_arrangements(held) for held in tables)
    if ways <= _most(size):
        return tuple(sorted((0, *rest) for held in tables for rest in _arranged(held)))
    rng = random_from(seed)
    return tuple(
        (0, *_shuffled(tables[int(rng.random() * len(tables))].elements(), rng))
        for _ in range(_most(size))
    )


def _arrangements(held: Counter[int]) -> int:
    """In how many orders the bots can sit that hold so many seats each."""
    return math.factorial(held.total()) // math.prod(map(math.factorial, held.values()))


def _arranged(held: Counter[int]) -> Iterator[Base]:
    """Those orders, each once."""
    if not held.total():
        yield ()
    for bot in sorted(bot for bot, seats in held.items() if seats):
        for rest in _arranged(held - Counter((bot,))):
            yield bot, *rest


def _most(size: int) -> int:
    """So many candidates at most: the work of a choice grows with the pairs at a table."""
    return min(MOST_CANDIDATES, 3 * MOST_CANDIDATES * math.comb(FOUR, 2) // math.comb(size, 2))


def _shuffled(bots: Iterable[int], rng: random.Random) -> list[int]:
    """The bots in any order, by `random()` alone."""
    drawn = [(rng.random(), bot) for bot in bots]
    return [bot for _, bot in sorted(drawn)]


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
    # One orbit alone is to join all bots, where there is a base that does.
    apart = np.array([not _joins(n, kind[0]) for kind in kinds])
    while True:
        # The first kind of least excess and, among those, of least cost.
        cost = PAIR_WEIGHT * met.cost() + STEP_WEIGHT * followed.cost()
        kind = int(np.lexsort((cost, met.excess() + followed.excess(), apart))[0])
        apart = np.zeros_like(apart)
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
    # Column by column: all pairs of columns at once would not fit for a table of many.
    columns = [((moved == moved[:, i : i + 1]) * by).sum(axis=1) for i in range(moved.shape[1])]
    gains = np.stack(columns, axis=1)
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
