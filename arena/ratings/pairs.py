"""Match results as integer pair counts, in one canonical order.

A leaderboard must not change by a digit when matches are shuffled or seats rotated, and sums of
floating-point numbers depend on their order. So everything that is summed over matches is summed
as integers (half points and games of a pair of bots), and what is summed later as real numbers
(one term a deal set) is put into an order that depends on its content alone: each deal set gets
the sum, modulo 2^64, of the hashes of its pair counts, and deal sets are sorted by that sum. Two
deal sets with the same sum hold the same counts, so their order makes no difference.

Hashes also find out whether every match stands in its deal set several times over (see
docs/decisions/0002-repeated-tables.md); the counts are then divided by that number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from arena.ratings.api import Result

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Hashes = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Pairs:
    """What the bots did to each other, in all and by deal set.

    The arrays `deal_set`, `first`, `second`, `half_points`, `games` are parallel: in that deal set
    the bot `first` took so many half points (2 a win, 1 a tie) from so many pair games against
    `second`; first < second, ordered by deal set, first, second. Bots are indices into `bots`,
    which is sorted. `won_halves` and `played` are the same summed over deal sets, square: half
    points of row against column, and pair games. All counts are divided by `repeats`.
    """

    bots: tuple[str, ...]
    deal_set: Ints
    first: Ints
    second: Ints
    half_points: Ints
    games: Ints
    won_halves: Ints
    played: Ints
    repeats: int = 1


@dataclass(frozen=True, slots=True)
class Tables:
    """Matches of one number of seats, as arrays of matches by seats; `deal_set`, `deals` by match.

    Bots are indices into the sorted names. Deal sets are numbers without a meaning.
    """

    bots: Ints
    scores: Floats
    retired: NDArray[np.bool_]
    deal_set: Ints
    deals: Ints


def count_pairs(results: Sequence[Result]) -> Pairs:
    """Every pair of seats with two different bots is counted once, in canonical order."""
    bots, tables = tabulate(results)
    if not tables:
        return _sum_up(bots, np.zeros((5, 0), np.int64))
    rows = _add_up(np.concatenate([_pairs(table) for table in tables], axis=1), len(bots))
    repeats = _repeats(tables)
    rows[3:] //= repeats
    return _sum_up(bots, in_order_of_content(rows), repeats)


def tabulate(results: Sequence[Result]) -> tuple[tuple[str, ...], tuple[Tables, ...]]:
    """The bots, sorted, and the matches as arrays, one item a number of seats."""
    bots = tuple(sorted(set(chain.from_iterable(result.bots for result in results))))
    number = {bot: index for index, bot in enumerate(bots)}
    sets: dict[str, int] = {}
    set_of = [sets.setdefault(r.set, len(sets)) if r.set else -1 - i for i, r in enumerate(results)]
    by_size: dict[int, list[int]] = defaultdict(list)
    for index, result in enumerate(results):
        by_size[len(result.bots)].append(index)
    tables = [
        _tables([results[i] for i in chosen], [set_of[i] for i in chosen], seats, number)
        for seats, chosen in sorted(by_size.items())
    ]
    return bots, tuple(tables)


def _tables(of: Sequence[Result], sets: list[int], seats: int, number: dict[str, int]) -> Tables:
    size = len(of) * seats
    bots = map(number.__getitem__, chain.from_iterable(result.bots for result in of))
    scores = chain.from_iterable(result.scores for result in of)
    retired = chain.from_iterable(result.retired for result in of)
    return Tables(
        bots=np.fromiter(bots, np.int64, size).reshape(-1, seats),
        scores=np.fromiter(scores, np.float64, size).reshape(-1, seats),
        retired=np.fromiter(retired, np.bool_, size).reshape(-1, seats),
        deal_set=np.array(sets, np.int64),
        deals=np.array([result.deals for result in of], np.int64),
    )


def _pairs(table: Tables) -> Ints:
    """Rows deal set, first, second, half points of first; a pair with one bot twice is left out."""
    left, right = np.triu_indices(table.bots.shape[1], 1)
    a, b = table.bots[:, left], table.bots[:, right]
    by_score = np.sign(table.scores[:, left] - table.scores[:, right]).astype(np.int64)
    out_a, out_b = table.retired[:, left], table.retired[:, right]
    sign = np.where(out_a == out_b, by_score, np.where(out_b, 1, -1))
    halves = np.where(a < b, 1 + sign, 1 - sign)
    deal_set = np.broadcast_to(table.deal_set[:, None], a.shape)
    rows = np.stack([deal_set, np.minimum(a, b), np.maximum(a, b), halves]).reshape(4, -1)
    return np.asarray(rows[:, rows[1] != rows[2]], np.int64)


def _repeats(tables: Sequence[Tables]) -> int:
    """The greatest number by which the count of every distinct match in its deal set divides."""
    divisor = 0
    for table in tables:
        seat = _mix(table.bots * 2 + table.retired) ^ (table.scores + 0.0).view(np.uint64)
        if table.bots.shape[1] == 2:
            # A deal set of two seats is a pair, both ways round: the other way is no repetition.
            seat = _mix(seat ^ np.arange(2, dtype=np.uint64))
        match = np.stack([table.deal_set.view(np.uint64), _mix(seat).sum(axis=1, dtype=np.uint64)])
        match = match[:, np.lexsort(match)]
        starts = np.flatnonzero(np.append(True, (match[:, 1:] != match[:, :-1]).any(axis=0)))
        counts = np.diff(np.append(starts, match.shape[1]))
        divisor = int(np.gcd.reduce(counts, initial=divisor))
    return divisor or 1


def _add_up(outcomes: Ints, bots: int) -> Ints:
    """Rows deal set, first, second, half points, games: one column a pair of bots in a deal set."""
    deal_set, first, second, halves = outcomes
    number = np.unique(deal_set, return_inverse=True)[1]
    key, where = np.unique((number * bots + first) * bots + second, return_inverse=True)
    half_points = np.bincount(where, halves, len(key)).astype(np.int64)
    games = np.bincount(where, minlength=len(key))
    return np.stack([key // bots**2, key // bots % bots, key % bots, half_points, games])


def in_order_of_content(rows: Ints) -> Ints:
    """The same columns, the deal sets numbered from 0 and ordered by the hash of what they hold.

    Rows deal set, first, second, then whatever is to be hashed with them.
    """
    deal_set, *result = rows
    hashes = np.zeros(len(deal_set), np.uint64)
    for part in result:
        hashes = _mix(hashes ^ part.view(np.uint64))
    content = np.zeros(deal_set.max(initial=-1) + 1, np.uint64)
    np.add.at(content, deal_set, hashes)
    place = np.empty(len(content), np.int64)
    place[np.argsort(content, kind="stable")] = np.arange(len(content))
    order = np.lexsort((rows[2], rows[1], place[deal_set]))
    return np.concatenate([place[deal_set][None, order], rows[1:, order]])


def _mix(values: NDArray[np.int64] | Hashes) -> Hashes:
    """A hash of each value (the finaliser of splitmix64, Steele, Lea and Flood 2014)."""
    z = values.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)), np.uint64)


def _sum_up(bots: tuple[str, ...], rows: Ints, repeats: int = 1) -> Pairs:
    deal_set, first, second, half_points, games = rows
    won_halves, played = np.zeros((2, len(bots), len(bots)), np.int64)
    np.add.at(won_halves, (first, second), half_points)
    np.add.at(won_halves, (second, first), 2 * games - half_points)
    np.add.at(played, (first, second), games)
    np.add.at(played, (second, first), games)
    return Pairs(bots, deal_set, first, second, half_points, games, won_halves, played, repeats)
