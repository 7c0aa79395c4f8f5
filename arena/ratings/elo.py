"""Batch Elo: the default leaderboard.

Static bots have one strength each, so the order of matches must not matter: all results are fitted
at once (bradley_terry.py) and shown on the Elo scale, where 400 points are odds of ten to one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.errors import ConfigError
from arena.ratings.api import Anchor, Rated, Ratings, Result
from arena.ratings.bars import Bars, bars_of
from arena.ratings.bradley_terry import Group, fit, uncertainty
from arena.ratings.pairs import Floats, Pairs, count_pairs

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
_FEW_DEAL_SETS = 30
_NAMED = 8


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
    cores: list[tuple[str, ...]] = []
    for group in found.groups:
        ranked, core = _rate_group(found, group, anchor)
        rated += ranked
        components.append(tuple(bot.bot for bot in ranked))
        cores.append(core)
    return Ratings(
        rated=tuple(rated),
        components=tuple(components),
        details={"fit": found, "cores": tuple(cores)},
        notes=tuple(_notes(components, cores)),
    )


def check_anchor(bots: Sequence[str], anchor: Anchor | None) -> None:
    """Raises ConfigError if the anchor is a bot that plays no match here."""
    if anchor and anchor[0] not in bots:
        known = ", ".join(bots[:8]) + (" …" if len(bots) > 8 else "")
        raise ConfigError(
            f"the anchor {anchor[0]!r} plays no match here",
            where="--anchor",
            mend=f"name one of: {known}" if bots else "there are no matches",
        )


def _rate_group(
    found: EloFit, group: Group, anchor: Anchor | None
) -> tuple[list[Rated], tuple[str, ...]]:
    """The bots of a group, best first, and those against whose mean the bars are measured."""
    names = [found.pairs.bots[index] for index in group.members]
    elo = found.strengths[group.members] * ELO + MEAN
    if anchor and anchor[0] in names:
        elo = elo - elo[names.index(anchor[0])] + anchor[1]
    if len(names) == 1:
        return [Rated(names[0], float(elo[0]), low=-math.inf, high=math.inf)], tuple(names)
    bars = bars_of(found.pairs, found.strengths, group)
    order = sorted(range(len(names)), key=lambda i: (-elo[i], names[i]))
    rated = [_rate_bot(bars, elo, order, place, names[index]) for place, index in enumerate(order)]
    return rated, tuple(names[index] for index in order if bars.core[index])


def _notes(groups: Sequence[Sequence[str]], cores: Sequence[Sequence[str]]) -> Iterator[str]:
    """Against what bars are measured, in groups where that is not the mean of all."""
    for group, core in zip(groups, cores, strict=True):
        if len(core) < len(group):
            named = ", ".join(core[:_NAMED]) + (" …" if len(core) > _NAMED else "")
            yield f"Bars are against the mean of bots that took points from each other: {named}."


def _rate_bot(bars: Bars, elo: Floats, order: list[int], place: int, bot: str) -> Rated:
    index = order[place]
    contrast = bars.contrast(index)
    middle = float(contrast @ bars.strengths)
    model, cluster = bars.group.variance(contrast)
    follower = order[place + 1] if place + 1 < len(order) else None
    return Rated(
        bot=bot,
        elo=float(elo[index]),
        low=float(elo[index] + ELO * (bars.low[index] - middle)),
        high=float(elo[index] + ELO * (bars.high[index] - middle)),
        se=ELO * float(bars.se[index]),
        se_cluster=None if cluster is None else ELO * math.sqrt(cluster),
        se_model=ELO * math.sqrt(model),
        los_next=None if follower is None else bars.superiority(index, follower),
        los_leader=None if place == 0 else bars.superiority(index, order[0]),
    )
