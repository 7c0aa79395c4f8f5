"""The Bradley-Terry fit with a ridge prior, and how uncertain it is.

The strengths θ maximise

    Σ_pairs [ s ln p + (1 - s) ln(1 - p) ] - (λ/2) Σ θ²,    p_ij = 1 / (1 + e^-(θi - θj)),

where a pair of seats gives s = 1, ½ or 0. λ = 0.25 weighs as much as one virtual drawn pair game
against an average bot, so that there is exactly one optimum, an undefeated or winless bot stays
finite, and every group of bots without a match between them is centred on 0 by itself (Varin and
Firth, arXiv 2406.09597, for the ridge; Hunter 2004 for existence).

Matches on the same cards are not independent of each other, nor are the six pairs of one table, so
the error bars take the deal set as the unit: the gradient splits into one term g_c a deal set, and
the covariance of θ is the sandwich H⁻¹ (M + λI) H⁻¹ with M = C/(C-1) Σ_c g_c g_c'. What the model
alone would say, H⁻¹, is kept beside it. Both are centred on the mean of the group, since only
differences have a meaning.

With few deal sets M is mostly chance: of two, it has one degree of freedom. So errors come from
both, as if 8 deal sets had been seen before, with a variance of 1.6 times the model's (the luck
of shared cards and the six pairs of a table add to it at most in the designs of
benchmarks/coverage.py). As sets come in, these count for less and less.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.ratings.pairs import Floats, Ints, Pairs

RIDGE = 0.25
PRIOR_SETS = 8
PRIOR_FACTOR = 1.6
_STEPS = 200
_SAFE_STEP = 0.5
_LAST_STEP = 1e-9
_CHUNK_ENTRIES = 2_000_000


@dataclass(frozen=True, slots=True)
class Group:
    """Bots joined by matches, with the uncertainty of their strengths among each other.

    `members` are indices into the bots, ascending; the covariances are square in their order.
    `cluster` is None with fewer than two deal sets.
    """

    members: Ints
    deal_sets: int
    model: Floats
    cluster: Floats | None

    def variance(self, contrast: Floats) -> tuple[float, float | None]:
        """The variance of Σ contrast·θ by the model and by the deal sets."""
        by_model = float(contrast @ self.model @ contrast)
        by_sets = None if self.cluster is None else float(contrast @ self.cluster @ contrast)
        return by_model, by_sets

    def error_variance(self, contrast: Floats) -> float:
        """The variance of Σ contrast·θ by both together, for Student's t with `freedom`."""
        by_model, by_sets = self.variance(contrast)
        counted = max(0, self.deal_sets - 1) * (by_model if by_sets is None else by_sets)
        return (PRIOR_SETS * PRIOR_FACTOR * by_model + counted) / self.freedom

    @property
    def freedom(self) -> int:
        """The degrees of freedom of `error_variance`."""
        return max(1, self.deal_sets) - 1 + PRIOR_SETS


def fit(pairs: Pairs, ridge: float = RIDGE) -> Floats:
    """The strengths, in natural units, by bot: Newton's method, halving a long step downhill."""
    strengths = np.zeros(len(pairs.bots))
    for _ in range(_STEPS):
        step = np.linalg.solve(hessian(pairs, strengths, ridge), _gradient(pairs, strengths, ridge))
        height = _height(pairs, strengths, ridge)
        while _length(step) > _SAFE_STEP and _height(pairs, strengths + step, ridge) < height:
            step = step / 2
        strengths = strengths + step
        if _length(step) < _LAST_STEP:
            break
    return strengths


def _length(step: NDArray[np.floating]) -> float:
    return float(np.abs(step).max(initial=0.0))


def win_chances(strengths: Floats) -> Floats:
    """The chance of row against column, for every two bots."""
    return np.asarray(1 / (1 + np.exp(strengths[None, :] - strengths[:, None])), np.float64)


def hessian(pairs: Pairs, strengths: Floats, ridge: float = RIDGE) -> Floats:
    """The information matrix of the strengths (the negative second derivative)."""
    chance = win_chances(strengths)
    weight = pairs.played * chance * chance.T
    return np.asarray(np.diag(weight.sum(axis=1) + ridge) - weight, np.float64)


def _gradient(pairs: Pairs, strengths: Floats, ridge: float) -> Floats:
    surplus = pairs.won_halves / 2 - pairs.played * win_chances(strengths)
    return np.asarray(surplus.sum(axis=1) - ridge * strengths, np.float64)


def _height(pairs: Pairs, strengths: Floats, ridge: float) -> float:
    log_chance = -np.logaddexp(0, strengths[None, :] - strengths[:, None])
    likelihood = (pairs.won_halves / 2 * log_chance).sum()
    return float(likelihood - ridge / 2 * (strengths**2).sum())


def uncertainty(pairs: Pairs, strengths: Floats, ridge: float = RIDGE) -> tuple[Group, ...]:
    """Every group of bots joined by matches, the largest first, with its covariances."""
    information = hessian(pairs, strengths, ridge)
    return tuple(
        _uncertainty(pairs, strengths, information, members, ridge)
        for members in components(pairs.played)
    )


def _uncertainty(
    pairs: Pairs, strengths: Floats, information: Floats, members: Ints, ridge: float
) -> Group:
    size = len(members)
    spread = np.linalg.inv(information[np.ix_(members, members)])
    centre = np.eye(size) - 1 / size
    meat, deal_sets = _meat(pairs, strengths, members)
    cluster = None
    if deal_sets > 1:
        middle = meat * (deal_sets / (deal_sets - 1)) + ridge * np.eye(size)
        cluster = centre @ spread @ middle @ spread @ centre
    return Group(members, deal_sets, centre @ spread @ centre, cluster)


def _meat(pairs: Pairs, strengths: Floats, members: Ints) -> tuple[Floats, int]:
    """Σ_c g_c g_c' over the deal sets in which these bots met, and the number of these sets."""
    size = len(members)
    total, deal_sets = np.zeros((size, size)), 0
    for score in scores_by_set(pairs, strengths, members):
        total += score.T @ score
        deal_sets += len(score)
    return total, deal_sets


def scores_by_set(pairs: Pairs, strengths: Floats, members: Ints) -> Iterator[Floats]:
    """The terms g_c, deal sets by members, in chunks that fit into memory."""
    place = np.full(len(pairs.bots), -1)
    place[members] = np.arange(len(members))
    ours = place[pairs.first] >= 0
    first, second = pairs.first[ours], pairs.second[ours]
    chance = 1 / (1 + np.exp(strengths[second] - strengths[first]))
    surplus = pairs.half_points[ours] / 2 - pairs.games[ours] * chance
    names, deal_set = np.unique(pairs.deal_set[ours], return_inverse=True)
    rows = max(1, _CHUNK_ENTRIES // max(1, len(members)))
    for start in range(0, len(names), rows):
        stop = min(start + rows, len(names))
        low, high = np.searchsorted(deal_set, [start, stop])
        score = np.zeros((stop - start, len(members)))
        at = deal_set[low:high] - start
        np.add.at(score, (at, place[first[low:high]]), surplus[low:high])
        np.subtract.at(score, (at, place[second[low:high]]), surplus[low:high])
        yield score


def components(played: Ints) -> list[Ints]:
    """The bots joined by pair games, as ascending indices; the largest group first."""
    unseen, groups = set(range(len(played))), []
    while unseen:
        group, border = set(), {min(unseen)}
        while border:
            group |= border
            reached = np.flatnonzero(played[sorted(border)].any(axis=0)).tolist()
            border = set(reached) - group
        unseen -= group
        groups.append(np.array(sorted(group), np.int64))
    return sorted(groups, key=lambda members: (-len(members), int(members[0])))
