"""Sequential Elo: the well-known update after each match, kept for comparison.

The same matches in another order give another leaderboard (over 3,000 tables some 35 points a bot),
so it is never the default and is always labelled.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from arena.ratings.api import Anchor, Rated, Ratings, Result
from arena.ratings.bradley_terry import components
from arena.ratings.elo import ELO, MEAN, check_anchor
from arena.ratings.pairs import count_pairs

STEP = 32.0
"""K: how far a match moves a bot that was expected to win everything and lost everything."""


@dataclass(frozen=True, slots=True)
class SequentialElo:
    """Every pair of seats moves both bots as a two-player game would, by K / (seats - 1)."""

    name: str = "elo-sequential"
    summary: str = "sequential Elo (K = 32), match after match; depends on their order"

    def rate(self, results: Sequence[Result], *, anchor: Anchor | None = None) -> Ratings:
        """Rates in the order of the results, every bot starting from 1500."""
        elo = {bot: MEAN for result in results for bot in result.bots}
        for result in results:
            for bot, change in _changes(result, elo).items():
                elo[bot] += change
        return order_dependent_ratings(
            results, {bot: Rated(bot, figure) for bot, figure in elo.items()}, anchor
        )


def _changes(result: Result, elo: Mapping[str, float]) -> dict[str, float]:
    changes = dict.fromkeys(result.bots, 0.0)
    keys = list(zip((not out for out in result.retired), result.scores, strict=True))
    for left, right in combinations(range(len(keys)), 2):
        a, b = result.bots[left], result.bots[right]
        if a != b:
            points = 0.5 + ((keys[left] > keys[right]) - (keys[left] < keys[right])) / 2
            surplus = points - 1 / (1 + math.exp((elo[b] - elo[a]) / ELO))
            changes[a] += STEP / (len(keys) - 1) * surplus
            changes[b] -= STEP / (len(keys) - 1) * surplus
    return changes


def order_dependent_ratings(
    results: Sequence[Result], rated: Mapping[str, Rated], anchor: Anchor | None
) -> Ratings:
    """The figures group by group, best first, shifted so that the anchor has its figure."""
    pairs = count_pairs(results)
    check_anchor(pairs.bots, anchor)
    found: list[Rated] = []
    groups: list[tuple[str, ...]] = []
    for members in components(pairs.played):
        group = [rated[pairs.bots[index]] for index in members]
        shift = sum(anchor[1] - bot.elo for bot in group if anchor and bot.bot == anchor[0])
        ranked = sorted((_shifted(bot, shift) for bot in group), key=lambda b: (-b.elo, b.bot))
        found += ranked
        groups.append(tuple(bot.bot for bot in ranked))
    return Ratings(tuple(found), tuple(groups), order_dependent=True)


def _shifted(bot: Rated, shift: float) -> Rated:
    return replace(
        bot,
        elo=bot.elo + shift,
        low=None if bot.low is None else bot.low + shift,
        high=None if bot.high is None else bot.high + shift,
    )
