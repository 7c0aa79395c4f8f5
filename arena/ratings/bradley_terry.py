"""The Bradley-Terry fit without a prior, and how uncertain it is.

The strengths θ maximise

    Σ_pairs [ s ln p + (1 - s) ln(1 - p) ] + ½ ln det I(θ),      p_ij = 1 / (1 + e^-(θi - θj)),

where a pair of seats gives s = 1, ½ or 0, and I is the information that these pairs hold about the
differences of strength. The second term (Firth, "Bias reduction of maximum likelihood estimates",
Biometrika 1993) takes the first-order bias away and keeps undefeated and winless bots finite. It
acts as one virtual draw for each independent difference, n - 1 in all, shared among the pairs by
what each tells about them. So nothing pulls a bot towards the mean, however far from it the bot is
(docs/decisions/0020-bars-far-from-the-mean.md). Every group of bots without a match between them is
fitted by itself, around 0.

Matches on the same cards are not independent of each other, nor are the six pairs of one table, so
the error bars take the deal set as the unit: the gradient splits into one term g_c a deal set, and
the covariance of θ is the sandwich I⁺ (M + D) I⁺ with M = C/(C-1) Σ_c g_c g_c' and D the variance
of the virtual draws. What the model alone would say, I⁺, is kept beside it. Both are centred on the
mean of the group, since only differences have a meaning.

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

PRIOR_SETS = 8
PRIOR_FACTOR = 1.6
_STEPS = 200
_LONGEST_STEP = 2.0
_ROUNDING = 1e-6
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


def fit(pairs: Pairs) -> Floats:
    """The strengths, in natural units, by bot, around 0 in each group."""
    strengths = np.zeros(len(pairs.bots))
    for members in components(pairs.played):
        square = np.ix_(members, members)
        strengths[members] = fit_group(pairs.won_halves[square] / 2, pairs.played[square])
    return strengths


def fit_group(won: Floats, played: Ints) -> Floats:
    """The strengths of one group, from points and pair games of row against column.

    Newton's method, halving a step that leads downhill. The virtual draws move with the strengths,
    but slowly: the steps take them as given.
    """
    strengths = np.zeros(len(played))
    height = _height(won, played, strengths)
    for _ in range(_STEPS):
        step = _step(won, played, strengths)
        if _length(step) < _LAST_STEP:
            return strengths + step
        step = step * min(1.0, _LONGEST_STEP / _length(step))
        while (found := _height(won, played, strengths + step)) < height - _ROUNDING:
            step = step / 2
        strengths, height = strengths + step, found
    return strengths


def _step(won: Floats, played: Ints, strengths: Floats) -> Floats:
    chance = win_chances(strengths)
    draws = virtual_draws(played, strengths)
    gradient = (won + draws / 2 - (played + draws) * chance).sum(axis=1)
    found = np.linalg.solve(pinned(laplacian((played + draws) * chance * chance.T)), gradient)
    return np.asarray(found - found.mean(), np.float64)


def virtual_draws(played: Ints, strengths: Floats) -> Floats:
    """How many virtual draws the information term adds to each pair; n - 1 over all pairs."""
    chance = win_chances(strengths)
    weight = played * chance * chance.T
    spread = np.linalg.inv(pinned(laplacian(weight)))
    own = np.diag(spread)
    return np.asarray(weight * (own[:, None] + own[None, :] - 2 * spread), np.float64)


def _length(step: NDArray[np.floating]) -> float:
    return float(np.abs(step).max(initial=0.0))


def win_chances(strengths: Floats) -> Floats:
    """The chance of row against column, for every two bots."""
    return np.asarray(1 / (1 + np.exp(strengths[None, :] - strengths[:, None])), np.float64)


def laplacian(weight: Floats) -> Floats:
    """The information that pairs of these weights hold about the strengths."""
    return np.asarray(np.diag(weight.sum(axis=1)) - weight, np.float64)


def pinned(information: Floats) -> Floats:
    """The same on all differences, and invertible: the mean, of which it says nothing, gets 1."""
    return np.asarray(information + 1 / len(information), np.float64)


def _height(won: Floats, played: Ints, strengths: Floats) -> float:
    chance = win_chances(strengths)
    information = pinned(laplacian(played * chance * chance.T))
    return log_likelihood(won, strengths) + float(np.linalg.slogdet(information)[1]) / 2


def log_likelihood(won: Floats, strengths: Floats) -> float:
    """How well strengths explain the points of row against column."""
    return float(-(won * np.logaddexp(0, strengths[None, :] - strengths[:, None])).sum())


def uncertainty(pairs: Pairs, strengths: Floats) -> tuple[Group, ...]:
    """Every group of bots joined by matches, the largest first, with its covariances."""
    return tuple(_uncertainty(pairs, strengths, members) for members in components(pairs.played))


def _uncertainty(pairs: Pairs, strengths: Floats, members: Ints) -> Group:
    size = len(members)
    played = pairs.played[np.ix_(members, members)]
    chance = win_chances(strengths[members])
    spread = np.linalg.inv(pinned(laplacian(played * chance * chance.T)))
    centre = np.eye(size) - 1 / size
    meat, deal_sets = _meat(pairs, strengths, members)
    cluster = None
    if deal_sets > 1:
        draws = laplacian(virtual_draws(played, strengths[members]) / 4)
        middle = meat * (deal_sets / (deal_sets - 1)) + draws
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
    chance = 1 / (1 + np.exp(strengths[pairs.second] - strengths[pairs.first]))
    surplus = pairs.half_points / 2 - pairs.games * chance
    return sums_by_set(pairs.deal_set, pairs.first, pairs.second, surplus, members)


def sums_by_set(
    deal_set: Ints, first: Ints, second: Ints, surplus: Floats, members: Ints
) -> Iterator[Floats]:
    """What pairs have beyond expectation, to the first bot and from the second, summed by deal set:
    deal sets by members, in chunks that fit into memory. The arrays are ordered by deal set."""
    place = np.full(int(max(second.max(initial=0), members.max(initial=0))) + 1, -1)
    place[members] = np.arange(len(members))
    ours = place[first] >= 0
    first, second, surplus = place[first[ours]], place[second[ours]], surplus[ours]
    names, at_set = np.unique(deal_set[ours], return_inverse=True)
    rows = max(1, _CHUNK_ENTRIES // max(1, len(members)))
    for start in range(0, len(names), rows):
        stop = min(start + rows, len(names))
        low, high = np.searchsorted(at_set, [start, stop])
        score = np.zeros((stop - start, len(members)))
        at = at_set[low:high] - start
        np.add.at(score, (at, first[low:high]), surplus[low:high])
        np.subtract.at(score, (at, second[low:high]), surplus[low:high])
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
