"""Two boards side by side: what moved, and whether it is more than noise.

A board's figures have a meaning only relative to each other. Measured against the mean of all
common bots, one bot that gains 200 Elo makes seven others fall. So each bot is measured against the
mean of those that stayed: beginning with all that both boards rate, the bot that moved most (in
units of its bar) is taken out while it moved by more than its bar. Where no majority is left that
stayed to each other, nobody can tell who moved, and the comparison says so.

The error of a change adds the variances of both boards. Where the two runs used the same cards that
is more than the truth, never less. A change is called one if it is beyond a bar that is widened for
the number of bots compared (Bonferroni): of twenty comparisons of boards between which nothing
happened, about one calls anything a change.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from arena.ratings.elo import ELO, EloFit
from arena.ratings.student import student_quantile
from arena.report.leaderboard import Leaderboard, Row

_RISK = 0.05


@dataclass(frozen=True, slots=True)
class Change:
    """How far a bot moved against the mean of the bots that stayed, in Elo; `bar` is to each side.

    `centred` is False where no majority stayed; the change is then against all common bots.
    """

    elo: float
    bar: float
    centred: bool = True

    @property
    def is_beyond(self) -> bool:
        """True if the change is more than noise, whoever it was that moved."""
        return abs(self.elo) > self.bar

    @property
    def is_clear(self) -> bool:
        """True if the change is more than noise, and this bot's own."""
        return self.centred and self.is_beyond


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
    changed = dict(changes(before.fit, after.fit))
    moves = [
        Move(bot, old.get(bot), new.get(bot), changed.get(bot))
        for bot in dict.fromkeys([*new, *old])
    ]
    return Comparison(before, after, tuple(moves))


def changes(before: EloFit, after: EloFit) -> Iterator[tuple[str, Change]]:
    """Every bot that can be compared, and how far it moved."""
    met: dict[tuple[int, int], list[str]] = defaultdict(list)
    for bot in sorted(set(before.pairs.bots) & set(after.pairs.bots)):
        groups = before.group_of(bot), after.group_of(bot)
        met[int(groups[0].members[0]), int(groups[1].members[0])].append(bot)
    comparable = [bots for bots in met.values() if len(bots) > 1]
    compared = sum(map(len, comparable))
    for bots in comparable:
        stayed = _stayed(bots, before, after, compared)
        centred = 2 * len(stayed) > len(bots)
        for bot in bots:
            change = _change(bot, stayed if centred else bots, before, after, compared)
            yield bot, replace(change, centred=centred)


def _stayed(bots: Sequence[str], before: EloFit, after: EloFit, compared: int) -> list[str]:
    """The bots that did not move to each other; too few to count if a half or more did."""
    stayed = list(bots)
    while 2 * len(stayed) > len(bots):
        moved = {bot: _change(bot, stayed, before, after, compared) for bot in stayed}
        most = max(moved, key=lambda bot: abs(moved[bot].elo) / moved[bot].bar)
        if not moved[most].is_beyond:
            break
        stayed.remove(most)
    return stayed


def _change(
    bot: str, reference: Sequence[str], before: EloFit, after: EloFit, compared: int
) -> Change:
    (old, old_variance, old_freedom), (new, new_variance, new_freedom) = (
        _standing(bot, reference, fit) for fit in (before, after)
    )
    reach = student_quantile(1 - _RISK / 2 / compared, min(old_freedom, new_freedom))
    return Change(new - old, reach * math.sqrt(old_variance + new_variance))


def _standing(bot: str, reference: Sequence[str], fit: EloFit) -> tuple[float, float, int]:
    """Elo against the mean of these bots, its variance, and the variance's degrees of freedom."""
    group = fit.group_of(bot)
    names = [fit.pairs.bots[index] for index in group.members]
    contrast = np.zeros(len(names))
    contrast[[names.index(name) for name in reference]] = -1 / len(reference)
    contrast[names.index(bot)] += 1
    elo = float(contrast @ fit.strengths[group.members]) * ELO
    return elo, group.error_variance(contrast) * ELO**2, group.freedom
