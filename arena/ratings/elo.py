"""Batch Elo: the default leaderboard.

Static bots have one strength each, so the order of matches must not matter: all results are fitted
at once (bradley_terry.py) and shown on the Elo scale, where 400 points are odds of ten to one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arena.errors import ConfigError
from arena.ratings.api import Anchor, Rated, Ratings, Result
from arena.ratings.bradley_terry import RIDGE, Group, fit, uncertainty
from arena.ratings.pairs import Floats, Pairs, count_pairs
from arena.ratings.student import student_cdf, student_quantile

ELO = 400 / math.log(10)
"""Elo points in one natural unit of strength."""

MEAN = 1500.0
"""The figure around which ratings are shown when no anchor is set."""

# Two-sided 95 % quantiles of Student's t with 1 … 28 degrees of freedom.
_STUDENT_95 = (
    12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157,
    2.228139, 2.200985, 2.178813, 2.160369, 2.144787, 2.131450, 2.119905, 2.109816, 2.100922,
    2.093024, 2.085963, 2.079614, 2.073873, 2.068658, 2.063899, 2.059539, 2.055529, 2.051831,
    2.048407,
)  # fmt: skip
_NORMAL_95 = 1.959964
_UPPER_95 = 0.975
_FEW_DEAL_SETS = 30


def quantile_95(deal_sets: int) -> float:
    """How many standard errors of a mean by deal set its 95 % bar reaches to each side.

    One deal set says nothing about its own spread; it gets the bar of two.
    """
    if deal_sets >= _FEW_DEAL_SETS:
        return _NORMAL_95
    return _STUDENT_95[max(1, deal_sets - 1) - 1]


@dataclass(frozen=True, slots=True)
class EloFit:
    """Everything that the fit found out; strengths in natural units, centred by group."""

    pairs: Pairs
    strengths: Floats
    groups: tuple[Group, ...]

    def group_of(self, bot: str) -> Group:
        """The group in which the bot plays."""
        index = self.pairs.bots.index(bot)
        return next(group for group in self.groups if index in group.members)


def fit_behind(ratings: Sequence[Ratings], results: Sequence[Result]) -> EloFit:
    """The batch fit of these results: from the ratings if one of them was made from it."""
    for found in ratings:
        if isinstance(fit := found.details.get("fit"), EloFit):
            return fit
    return fit_elo(results)


def fit_elo(results: Sequence[Result]) -> EloFit:
    """Strengths and uncertainty of every bot that appears in the results."""
    pairs = count_pairs(results)
    strengths = fit(pairs)
    return EloFit(pairs, strengths, uncertainty(pairs, strengths))


@dataclass(frozen=True, slots=True)
class BatchElo:
    """Bradley-Terry over all matches at once, error bars from deal sets."""

    name: str = "elo"
    summary: str = "batch Elo: all matches at once, error bars from deal sets"

    def rate(self, results: Sequence[Result], *, anchor: Anchor | None = None) -> Ratings:
        """Rates every bot that appears; groups the largest first, in each the best first."""
        return ratings_of(fit_elo(results), anchor)


def ratings_of(found: EloFit, anchor: Anchor | None = None) -> Ratings:
    """The fit as ratings on the Elo scale; the fit itself is kept in `details`."""
    check_anchor(found.pairs.bots, anchor)
    rated: list[Rated] = []
    components: list[tuple[str, ...]] = []
    for group in found.groups:
        ranked = _rate_group(found, group, anchor)
        rated += ranked
        components.append(tuple(bot.bot for bot in ranked))
    return Ratings(tuple(rated), tuple(components), details={"fit": found})


def check_anchor(bots: Sequence[str], anchor: Anchor | None) -> None:
    """Raises ConfigError if the anchor is a bot that plays no match here."""
    if anchor and anchor[0] not in bots:
        known = ", ".join(bots[:8]) + (" …" if len(bots) > 8 else "")
        raise ConfigError(
            f"the anchor {anchor[0]!r} plays no match here",
            where="--anchor",
            mend=f"name one of: {known}" if bots else "there are no matches",
        )


def _rate_group(found: EloFit, group: Group, anchor: Anchor | None) -> list[Rated]:
    names = [found.pairs.bots[index] for index in group.members]
    elo = found.strengths[group.members] * ELO + MEAN
    if anchor and anchor[0] in names:
        elo = elo - elo[names.index(anchor[0])] + anchor[1]
    order = sorted(range(len(names)), key=lambda i: (-elo[i], names[i]))
    return [_rate_bot(group, elo, order, place, names[index]) for place, index in enumerate(order)]


def _rate_bot(group: Group, elo: Floats, order: list[int], place: int, bot: str) -> Rated:
    index = order[place]
    error, model, cluster = _errors(group, index)
    reach = student_quantile(_UPPER_95, group.freedom) * error
    follower = order[place + 1] if place + 1 < len(order) else None
    return Rated(
        bot=bot,
        elo=float(elo[index]),
        low=float(elo[index] - reach),
        high=float(elo[index] + reach),
        se=error,
        se_cluster=cluster,
        se_model=model,
        los_next=None if follower is None else superiority(group, elo, index, follower),
        los_leader=None if place == 0 else superiority(group, elo, index, order[0]),
    )


def _errors(group: Group, index: int) -> tuple[float, float, float | None]:
    """Standard errors in Elo by both together, by the model alone and by the deal sets alone.

    A bot that has met nobody is known as well as the prior knows it.
    """
    if len(group.members) == 1:
        prior = ELO / math.sqrt(RIDGE)
        return prior, prior, None
    contrast = np.zeros(len(group.members))
    contrast[index] = 1.0
    model, cluster = group.variance(contrast)
    return (
        ELO * math.sqrt(group.error_variance(contrast)),
        ELO * math.sqrt(model),
        None if cluster is None else ELO * math.sqrt(cluster),
    )


def superiority(group: Group, elo: Floats, stronger: int, weaker: int) -> float:
    """The likelihood (0..1) that one bot of the group is stronger than another; places in it."""
    contrast = np.zeros(len(group.members))
    contrast[stronger], contrast[weaker] = 1.0, -1.0
    error = ELO * math.sqrt(group.error_variance(contrast))
    return student_cdf(float(elo[stronger] - elo[weaker]) / error, group.freedom)
