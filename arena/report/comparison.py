"""Two boards side by side: what moved, and whether it is more than noise.

A board's figures have a meaning only relative to each other, so each bot is measured against the
mean of the bots that both boards rate, in each board, and the two measures are compared. The error
of the change adds the variances of both. Where the two runs used the same cards that is more than
the truth, never less.

A change is called one if it is beyond a bar that is widened for the number of bots compared
(Bonferroni): of twenty comparisons of boards between which nothing happened, about one calls
anything a change.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from arena.ratings.elo import ELO, EloFit, quantile_95
from arena.report.leaderboard import Leaderboard, Row

_RISK = 0.05


@dataclass(frozen=True, slots=True)
class Change:
    """How far a bot moved against the mean of the common bots, in Elo; `bar` is to each side."""

    elo: float
    bar: float

    @property
    def is_clear(self) -> bool:
        """True if the change is more than noise."""
        return abs(self.elo) > self.bar


@dataclass(frozen=True, slots=True)
class Move:
    """One bot on both boards. `change` is None where nothing can be compared."""

    bot: str
    before: Row | None
    after: Row | None
    change: Change | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Every bot of either board, in the order of the second, then those that are gone."""

    before: Leaderboard
    after: Leaderboard
    moves: tuple[Move, ...]


def compare(before: Leaderboard, after: Leaderboard) -> Comparison:
    """What moved from one board to the other, by batch Elo."""
    old = {row.bot: row for row in before.rows}
    new = {row.bot: row for row in after.rows}
    changes = dict(_changes(before.fit, after.fit))
    moves = [
        Move(bot, old.get(bot), new.get(bot), changes.get(bot))
        for bot in dict.fromkeys([*new, *old])
    ]
    return Comparison(before, after, tuple(moves))


def _changes(before: EloFit, after: EloFit) -> Iterator[tuple[str, Change]]:
    met: dict[tuple[int, int], list[str]] = defaultdict(list)
    for bot in sorted(set(before.pairs.bots) & set(after.pairs.bots)):
        groups = before.group_of(bot), after.group_of(bot)
        met[int(groups[0].members[0]), int(groups[1].members[0])].append(bot)
    comparable = [bots for bots in met.values() if len(bots) > 1]
    compared = sum(map(len, comparable))
    for bots in comparable:
        for bot in bots:
            yield bot, _change(bot, bots, before, after, compared)


def _change(
    bot: str, common: Sequence[str], before: EloFit, after: EloFit, compared: int
) -> Change:
    (old, old_variance, old_sets), (new, new_variance, new_sets) = (
        _standing(bot, common, fit) for fit in (before, after)
    )
    normal = NormalDist().inv_cdf(1 - _RISK / 2 / compared)
    few_sets = quantile_95(min(old_sets, new_sets)) / NormalDist().inv_cdf(1 - _RISK / 2)
    return Change(new - old, few_sets * normal * math.sqrt(old_variance + new_variance))


def _standing(bot: str, common: Sequence[str], fit: EloFit) -> tuple[float, float, int]:
    """Elo against the mean of the common bots, its variance, and the number of deal sets."""
    group = fit.group_of(bot)
    names = [fit.pairs.bots[index] for index in group.members]
    contrast = np.zeros(len(names))
    contrast[[names.index(name) for name in common]] = -1 / len(common)
    contrast[names.index(bot)] += 1
    model, cluster = group.variance(contrast)
    elo = float(contrast @ fit.strengths[group.members]) * ELO
    return elo, max(model, cluster or 0.0) * ELO**2, group.deal_sets
