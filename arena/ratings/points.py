"""Elo from points: by how much a bot beats another, not only how often.

Two seats that are 1 and 30 points apart tell a rating by places the same. Here the strengths μ are
points a deal, those which make

    Σ_pairs (s_i - s_j - L (μ_i - μ_j))² / L

least, where s are the totals of two seats of a match of L deals. With totals nearly normal, the
chance that a bot ends above an average one is q = Φ((μ - mean) √L / sd), and its Elo is
400 log10(q / (1-q)), with the sd of the difference of two seats in one deal as these matches
show it, and L the mean number of deals a match. Error bars take the deal set as the unit, as those
of batch Elo do (bradley_terry.py).

A seat with a retiring fault counts with no more points than the last seat without.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from arena.ratings.api import Anchor, Rated, Ratings, Result
from arena.ratings.bradley_terry import Group, components, laplacian, pinned, sums_by_set
from arena.ratings.elo import MEAN, check_anchor
from arena.ratings.pairs import Floats, Ints, Tables, count_pairs, in_order_of_content, tabulate
from arena.ratings.student import student_cdf, student_quantile

_UPPER_95 = 0.975
_FURTHEST = 8.0
"""No bot is shown further from the mean, in sd of a match's difference; some 6,000 Elo."""


@dataclass(frozen=True, slots=True)
class Gaps:
    """Differences of points between two bots: by pair of seats, and summed by deal set.

    `games` has columns first, second; `gap` and `deals` are parallel to it. `deal_set`, `pair`,
    `total`, `weight` (deals) are the sums.
    """

    games: Ints
    gap: Floats
    deals: Ints
    deal_set: Ints
    pair: Ints
    total: Floats
    weight: Floats
    deals_a_match: float


@dataclass(frozen=True, slots=True)
class PointsElo:
    """Points a deal on the Elo scale: shorter bars from the same matches."""

    name: str = "elo-points"
    summary: str = "Elo from points: by how much, not only how often; error bars from deal sets"

    def rate(self, results: Sequence[Result], *, anchor: Anchor | None = None) -> Ratings:
        """Rates every bot that appears; groups the largest first, in each the best first."""
        pairs = count_pairs(results)
        check_anchor(pairs.bots, anchor)
        if not results:
            return Ratings((), ())
        gaps = _gaps(results, pairs.repeats)
        groups = components(pairs.played)
        strengths, spreads = _fit(gaps, groups, len(pairs.bots))
        sd = _spread(gaps, strengths, pairs.repeats)
        rated: list[Rated] = []
        names: list[tuple[str, ...]] = []
        for members, spread in zip(groups, spreads, strict=True):
            group = _group(gaps, members, strengths, spread, sd)
            unit = math.sqrt(gaps.deals_a_match) / sd
            ranked = list(_rate_group(pairs.bots, group, strengths[members], unit, anchor))
            rated += ranked
            names.append(tuple(bot.bot for bot in ranked))
        return Ratings(tuple(rated), tuple(names), details={"points_sd": sd})


def elo_of(deviate: float) -> float:
    """The Elo of a bot that is so many sd of a match's difference better than another."""
    x = max(-_FURTHEST, min(_FURTHEST, deviate)) / math.sqrt(2)
    return 400 * math.log10(math.erfc(-x) / math.erfc(x))


def _gaps(results: Sequence[Result], repeats: int) -> Gaps:
    _, tables = tabulate(results)
    parts = [_table_gaps(table) for table in tables]
    rows, gap = np.concatenate([p[0] for p in parts], axis=1), np.concatenate([p[1] for p in parts])
    rows = rows[:, order := np.lexsort((gap, *rows[::-1]))]
    gap = gap[order]
    starts = np.flatnonzero(
        np.append(True, (rows[:3, 1:] != rows[:3, :-1]).any(axis=0))[: rows.shape[1]]
    )
    total = np.add.reduceat(gap, starts) if len(starts) else np.zeros(0)
    weight = np.add.reduceat(rows[3], starts) if len(starts) else np.zeros(0, np.int64)
    summed = np.stack([*rows[:3, starts], (total / repeats).view(np.int64), weight // repeats])
    summed[0] = np.unique(summed[0], return_inverse=True)[1]
    summed = in_order_of_content(np.ascontiguousarray(summed))
    matches = sum(len(table.deals) for table in tables)
    return Gaps(
        games=rows[1:3],
        gap=gap,
        deals=rows[3],
        deal_set=summed[0],
        pair=summed[1:3],
        total=np.ascontiguousarray(summed[3]).view(np.float64),
        weight=summed[4].astype(np.float64),
        deals_a_match=sum(int(np.maximum(t.deals, 1).sum()) for t in tables) / matches,
    )


def _table_gaps(table: Tables) -> tuple[Ints, Floats]:
    """Rows deal set, first, second, deals; and the points of the first beyond the second's."""
    left, right = np.triu_indices(table.bots.shape[1], 1)
    others = np.where(table.retired, np.inf, table.scores).min(axis=1, keepdims=True)
    scores = np.where(table.retired, np.minimum(table.scores, others), table.scores)
    a, b = table.bots[:, left], table.bots[:, right]
    gap = scores[:, left] - scores[:, right]
    columns = (table.deal_set, np.maximum(table.deals, 1))
    sets, deals = (np.broadcast_to(column[:, None], a.shape) for column in columns)
    rows = np.stack([sets, np.minimum(a, b), np.maximum(a, b), deals]).reshape(4, -1)
    kept = rows[1] != rows[2]
    return rows[:, kept], np.where(a < b, gap, -gap).ravel()[kept]


def _fit(gaps: Gaps, groups: Sequence[Ints], bots: int) -> tuple[Floats, list[Floats]]:
    """Points a deal of every bot, around 0 in each group; and each group's inverse of the normal
    equations."""
    weight, gained = np.zeros((bots, bots)), np.zeros(bots)
    first, second = gaps.pair
    np.add.at(weight, (first, second), gaps.weight)
    np.add.at(gained, first, gaps.total)
    np.subtract.at(gained, second, gaps.total)
    strengths, spreads = np.zeros(bots), []
    for members in groups:
        normal = laplacian((weight + weight.T)[np.ix_(members, members)])
        spreads.append(np.asarray(np.linalg.inv(pinned(normal)), np.float64))
        found = spreads[-1] @ gained[members]
        strengths[members] = found - found.mean()
    return strengths, spreads


def _spread(gaps: Gaps, strengths: Floats, repeats: int) -> float:
    """The sd of the difference of two seats of one deal, beyond what the strengths explain.

    One virtual difference of the size of all differences keeps it from 0.
    """
    if not gaps.gap.any():
        return 1.0
    first, second = gaps.games
    left = (gaps.gap - gaps.deals * (strengths[first] - strengths[second])) ** 2 / gaps.deals
    whole = math.fsum((gaps.gap**2 / gaps.deals).tolist()) / len(gaps.gap)
    return math.sqrt((math.fsum(left.tolist()) + repeats * whole) / (len(left) + repeats))


def _group(gaps: Gaps, members: Ints, strengths: Floats, spread: Floats, sd: float) -> Group:
    """The covariances of the strengths; the model takes every pair of seats as independent."""
    first, second = gaps.pair
    surplus = gaps.total - gaps.weight * (strengths[first] - strengths[second])
    size, sets = len(members), 0
    meat, centre = np.zeros((size, size)), np.eye(size) - 1 / size
    for score in sums_by_set(gaps.deal_set, first, second, surplus, members):
        meat += score.T @ score
        sets += len(score)
    model = centre @ spread @ centre * sd**2
    cluster = centre @ spread @ meat @ spread @ centre * (sets / (sets - 1)) if sets > 1 else None
    return Group(members, sets, model, cluster)


def _rate_group(
    bots: Sequence[str], group: Group, strengths: Floats, unit: float, anchor: Anchor | None
) -> Iterator[Rated]:
    """The bots of a group, best first. `unit` is a point a deal in sd of a match's difference."""
    names = [bots[index] for index in group.members]
    if len(names) == 1:
        elo = anchor[1] if anchor and anchor[0] == names[0] else MEAN
        yield Rated(names[0], elo, low=-math.inf, high=math.inf)
        return
    elos = [elo_of(float(strength) * unit) for strength in strengths]
    shift = anchor[1] - elos[names.index(anchor[0])] if anchor and anchor[0] in names else MEAN
    order = sorted(range(len(names)), key=lambda i: (-strengths[i], names[i]))
    for place, index in enumerate(order):
        follower = order[place + 1] if place + 1 < len(order) else None
        middle, own = float(strengths[index]), np.eye(len(names))[index]
        error = math.sqrt(max(group.error_variance(own), 0.0))
        reach = student_quantile(_UPPER_95, group.freedom) * error
        yield Rated(
            bot=names[index],
            elo=elos[index] + shift,
            low=elo_of((middle - reach) * unit) + shift,
            high=elo_of((middle + reach) * unit) + shift,
            se=(elo_of((middle + error) * unit) - elo_of((middle - error) * unit)) / 2,
            los_next=None if follower is None else _above(group, strengths, index, follower),
            los_leader=None if place == 0 else _above(group, strengths, index, order[0]),
        )


def _above(group: Group, strengths: Floats, stronger: int, weaker: int) -> float:
    """The likelihood (0..1) that one bot is stronger than another."""
    contrast = np.zeros(len(strengths))
    contrast[stronger], contrast[weaker] = 1.0, -1.0
    apart = float(contrast @ strengths)
    error = math.sqrt(max(group.error_variance(contrast), 0.0))
    return student_cdf(apart / error, group.freedom) if apart and error else 0.5
