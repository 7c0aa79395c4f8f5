"""What a bot did besides its rating: points, wins, calls, faults, time; and what the seats did.

Means carry standard errors by deal set, as ratings do. Sums run over integers (points in tenths),
or over values that were sorted first, so that no digit depends on the order of the matches.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from arena.ratings.api import Result
from arena.ratings.elo import quantile_95
from arena.ratings.pairs import Floats, Ints, Tables, tabulate


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean and its standard error by deal set (None with fewer than two deal sets)."""

    value: float
    se: float | None
    deal_sets: int

    @property
    def bar(self) -> float | None:
        """Half of the 95 % error bar."""
        return None if self.se is None else quantile_95(self.deal_sets) * self.se


@dataclass(slots=True)
class Conduct:
    """What full records tell of one bot; every sum is an integer."""

    calls: int = 0
    call_sum: int = 0
    calls_made: int = 0
    faults: int = 0
    decisions: int = 0
    thinking_us: int = 0

    def add(self, other: Conduct) -> None:
        """Includes what another bot of the same name did."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass(frozen=True, slots=True)
class Deals:
    """Single deals in parallel arrays, an entry a seat: who, the place after the dealer, the call,
    the points, the deal set. They grow by the record and are read as numpy arrays without a copy.

    Place 1 sits at the dealer's right and leads first; the last place is the dealer's. `fallback`
    holds the positions of the entries that a retired bot did not play itself.
    """

    bot: array[int] = field(default_factory=lambda: array("q"))
    place: array[int] = field(default_factory=lambda: array("q"))
    call: array[int] = field(default_factory=lambda: array("q"))
    points: array[float] = field(default_factory=lambda: array("d"))
    deal_set: array[int] = field(default_factory=lambda: array("q"))
    fallback: list[int] = field(default_factory=list)


def count_calls(deals: Deals, bots: int) -> list[tuple[int, int, int]]:
    """Calls, their sum and the number of those made, of each bot that played itself."""
    own = np.ones(len(deals.bot), np.bool_)
    own[deals.fallback] = False
    bot = np.asarray(deals.bot)[own]
    call = np.asarray(deals.call)[own]
    made = np.asarray(deals.points)[own] > 0
    counts = (np.bincount(bot, weights, bots) for weights in (None, call, made))
    return [(int(c), int(s), int(m)) for c, s, m in zip(*counts, strict=True)]


@dataclass(frozen=True, slots=True)
class BotStatistics:
    """One bot's matches. `matches` counts a match once, whatever number of seats the bot had.

    `points_per_deal` is None if any of its matches does not say how many deals it had. A win that
    only this bot's seats share is a win; `shared_wins` are shared with another bot.
    """

    matches: int
    points_per_match: Mean
    points_per_deal: Mean | None
    wins: int
    shared_wins: int
    retired: int


def statistics_of(
    results: Sequence[Result],
) -> tuple[Mapping[str, BotStatistics], tuple[Mean, ...]]:
    """The statistics of every bot that appears, and the effects of the seats.

    The effect of a seat is in points a deal (a match, where the number of deals is unknown).
    """
    bots, tables = tabulate(results)
    if not bots:
        return {}, ()
    return _bot_statistics(bots, tables), _seat_effects(tables)


def _bot_statistics(bots: Sequence[str], tables: Sequence[Tables]) -> Mapping[str, BotStatistics]:
    size = len(bots)
    bot, points, deals, deal_set = _by_seat(tables)
    known = np.bincount(bot, deals == 0, size) == 0
    per_match = clustered_means(bot, points, np.ones(len(bot)), deal_set, size)
    per_deal = clustered_means(bot, points, np.maximum(deals, 1), deal_set, size)
    counts = sum((_counts(table, size) for table in tables), np.zeros((4, size), np.int64))
    return {
        name: BotStatistics(
            matches=int(counts[0, i]),
            points_per_match=per_match[i],
            points_per_deal=per_deal[i] if known[i] else None,
            wins=int(counts[1, i]),
            shared_wins=int(counts[2, i]),
            retired=int(counts[3, i]),
        )
        for i, name in enumerate(bots)
    }


def _seat_effects(tables: Sequence[Tables]) -> tuple[Mean, ...]:
    bot, points, deals, deal_set = _by_seat(tables)
    weight = np.maximum(deals, 1).astype(np.float64)
    seat = np.concatenate(
        [np.broadcast_to(np.arange(t.bots.shape[1]), t.bots.shape).ravel() for t in tables]
    )
    return _effects(seat, bot, points, weight, deal_set)


def place_effects(deals: Deals) -> tuple[Mean, ...]:
    """Points a deal of each place after the dealer beyond its bots' own means."""
    if not deals.bot:
        return ()
    bot = np.unique(np.asarray(deals.bot), return_inverse=True)[1]
    place = np.asarray(deals.place) - 1
    weight = np.ones(len(bot))
    return _effects(place, bot, np.asarray(deals.points), weight, np.asarray(deals.deal_set))


def _effects(
    group: Ints, bot: Ints, points: Floats, weight: Floats, deal_set: Ints
) -> tuple[Mean, ...]:
    """Group effects beside bot effects, by least squares, around a mean of 0.

    The errors take the bots' effects as known: fair where each bot sits about equally often in
    every group, as in full orbits.
    """
    bots, groups = int(bot.max()) + 1, int(group.max()) + 1
    effects, own = _two_ways(group, bot, points, weight, groups, bots)
    left = points - weight * (own[bot] + effects[group])
    errors = clustered_means(group, left, weight, deal_set, groups)
    return tuple(replace(error, value=float(effects[i])) for i, error in enumerate(errors))


def _two_ways(
    group: Ints, bot: Ints, points: Floats, weight: Floats, groups: int, bots: int
) -> tuple[Floats, Floats]:
    """The effects of groups (mean 0) and of bots that fit the points a deal best."""
    joint = np.bincount(group * bots + bot, weight, groups * bots).reshape(groups, bots)
    normal = np.block([[np.diag(joint.sum(axis=1)), joint], [joint.T, np.diag(joint.sum(axis=0))]])
    sums = np.concatenate([_sums(points, group, groups), _sums(points, bot, bots)])
    both = np.linalg.lstsq(normal, sums, rcond=None)[0]
    centre = both[:groups].mean()
    return both[:groups] - centre, both[groups:] + centre


def clustered_means(
    group: Ints, points: Floats, weight: Floats | Ints, deal_set: Ints, groups: int
) -> tuple[Mean, ...]:
    """Σ points / Σ weight of each group, with the sandwich error of that ratio by deal set."""
    number = np.unique(deal_set, return_inverse=True)[1]
    sets = int(number.max(initial=-1)) + 1
    key, where = np.unique(group * sets + number, return_inverse=True)
    total = _sums(points, where, len(key))
    size = np.bincount(where, weight, len(key)).astype(np.float64)
    bounds = np.searchsorted(key // max(1, sets), np.arange(groups + 1))
    return tuple(_ratio(total[low:high], size[low:high]) for low, high in pairwise(bounds.tolist()))


def _ratio(totals: Floats, sizes: Floats) -> Mean:
    weight = math.fsum(sizes)
    if not weight:
        return Mean(0.0, None, 0)
    mean = math.fsum(totals) / weight
    if len(totals) < 2:
        return Mean(mean, None, len(totals))
    spread = math.fsum((totals - mean * sizes) ** 2) * len(totals) / (len(totals) - 1)
    return Mean(mean, math.sqrt(spread) / weight, len(totals))


def _sums(values: Floats, where: Ints, size: int) -> Floats:
    """The sums by place, the same whatever the order of the values."""
    tenths = np.rint(values * 10)
    if (tenths / 10 == values).all() and np.abs(tenths).sum() < 2**53:
        return np.bincount(where, tenths, size) / 10
    order = np.lexsort((values, where))
    return np.add.reduceat(values[order], np.searchsorted(where[order], np.arange(size)))


def _by_seat(tables: Iterable[Tables]) -> tuple[Ints, Floats, Ints, Ints]:
    """Bot, points, deals and deal set of every seat of every match."""
    columns = [
        (
            t.bots.ravel(),
            t.scores.ravel(),
            np.broadcast_to(t.deals[:, None], t.bots.shape).ravel(),
            np.broadcast_to(t.deal_set[:, None], t.bots.shape).ravel(),
        )
        for t in tables
    ]
    bot, points, deals, deal_set = (np.concatenate(part) for part in zip(*columns, strict=True))
    return bot, points, deals, deal_set


def _counts(table: Tables, bots: int) -> Ints:
    """Rows matches, wins, shared wins, retirements; columns bots."""
    key = np.where(table.retired, -np.inf, table.scores)
    all_out = table.retired.all(axis=1)
    key[all_out] = table.scores[all_out]
    best = key == key.max(axis=1, keepdims=True)
    lowest = np.where(best, table.bots, bots).min(axis=1)
    highest = np.where(best, table.bots, -1).max(axis=1)
    alone = lowest == highest
    match = np.broadcast_to(np.arange(len(table.bots))[:, None], table.bots.shape)
    return np.stack(
        [
            _once_a_match(match, table.bots, np.ones_like(best), bots),
            np.bincount(lowest[alone], minlength=bots),
            _once_a_match(match, table.bots, best & ~alone[:, None], bots),
            np.bincount(table.bots[table.retired], minlength=bots),
        ]
    )


def _once_a_match(match: Ints, bot: Ints, chosen: NDArray[np.bool_], bots: int) -> Ints:
    return np.bincount(np.unique(match[chosen] * bots + bot[chosen]) % bots, minlength=bots)
