"""Error bars and likelihoods of superiority of one group of bots, in natural units.

Where the log likelihood is nearly a parabola as far as the bar reaches, the bar is the estimate and
so many standard errors to each side. Elsewhere (bots that win or lose nearly everything, and few
matches) it is found from the likelihood itself (likelihood.py), and ends where the results begin to
rule a strength out, which may be nowhere. The likelihood takes every pair of seats as independent,
so what it says is divided by what deal sets show beyond that (bradley_terry.py).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from arena.ratings.bradley_terry import PRIOR_FACTOR, Group, log_likelihood
from arena.ratings.likelihood import (
    Bools,
    Likelihood,
    core_of,
    ends,
    likelihood_of,
    open_ends,
    reaches,
)
from arena.ratings.pairs import Floats, Pairs
from arena.ratings.student import student_cdf, student_quantile

_UPPER_95 = 0.975
_NEARLY = 0.1
"""By how much of itself the fall of the log likelihood at the end of a bar may differ from that of
a parabola."""

_CHUNK_ENTRIES = 2_000_000


@dataclass(frozen=True, slots=True)
class Bars:
    """Everything about how far the strengths of a group are known, by the bots' places in it.

    `low` and `high` are strengths against the mean of the `core`, infinite where open; `se` is the
    standard error of the same. `curved` marks bots whose bar comes from the likelihood itself.
    """

    group: Group
    strengths: Floats
    core: Bools
    low: Floats
    high: Floats
    se: Floats
    curved: Bools
    likelihood: Likelihood

    def contrast(self, place: int) -> Floats:
        """The bot against the mean of the core."""
        return np.asarray(_against_core(self.core)[place], np.float64)

    def superiority(self, stronger: int, weaker: int) -> float:
        """The likelihood (0..1) that one bot is stronger than another."""
        contrast = np.zeros(len(self.strengths))
        contrast[stronger], contrast[weaker] = 1.0, -1.0
        apart = float(contrast @ self.strengths)
        if self.curved[stronger] or self.curved[weaker]:
            against = float(self.likelihood.against(contrast[None, :], np.zeros(1))[0])
            deviate = math.copysign(math.sqrt(against / _excess(self.group, contrast)), apart)
        else:
            deviate = apart / math.sqrt(self.group.error_variance(contrast))
        return student_cdf(deviate if apart else 0.0, self.group.freedom)


def bars_of(pairs: Pairs, strengths: Floats, group: Group) -> Bars:
    """The bars of a group of two or more bots."""
    square = np.ix_(group.members, group.members)
    won, played = pairs.won_halves[square] / 2, pairs.played[square]
    own = strengths[group.members]
    likelihood = likelihood_of(won, played, own)
    reach = reaches(won)
    core = core_of(reach, played)
    no_low, no_high = open_ends(reach, core)
    contrasts = _against_core(core)
    se = np.sqrt([max(group.error_variance(contrast), 0.0) for contrast in contrasts])
    wide = student_quantile(_UPPER_95, group.freedom) * se
    middle = contrasts @ own
    low, high = middle - wide, middle + wide
    curved = np.full(len(own), not reach.all())
    if not curved.any():
        curved = _curved(likelihood, group, own, contrasts, wide)
    for chosen in _chunks(np.flatnonzero(curved), len(own)):
        limits = np.array([_limit(group, contrast) for contrast in contrasts[chosen]])
        for end, is_open, side in ((low, no_low, -1.0), (high, no_high, 1.0)):
            end[chosen[is_open[chosen]]] = side * math.inf
            closed = ~is_open[chosen]
            some = chosen[closed]
            step = side * np.maximum(wide[some], 0.1)
            end[some] = ends(likelihood, contrasts[some], middle[some], step, limits[closed])
    return Bars(group, own, core, low, high, se, curved, likelihood)


def _against_core(core: Bools) -> Floats:
    return np.asarray(np.eye(len(core)) - core / core.sum(), np.float64)


def _excess(group: Group, contrast: Floats) -> float:
    """How many times the model's variance the deal sets show. Where hardly a win or a loss was seen
    they show too little, so never less than what was supposed before any of them was."""
    model, _ = group.variance(contrast)
    return max(PRIOR_FACTOR, group.error_variance(contrast) / model)


def _limit(group: Group, contrast: Floats) -> float:
    return student_quantile(_UPPER_95, group.freedom) ** 2 * _excess(group, contrast)


def _curved(
    likelihood: Likelihood, group: Group, strengths: Floats, contrasts: Floats, wide: Floats
) -> Bools:
    """The bots at whose bars' ends the log likelihood is not that of a parabola."""
    found = np.zeros(len(strengths), np.bool_)
    for bot, contrast in enumerate(contrasts):
        model = float(contrast @ group.model @ contrast)
        along = group.model @ contrast / model
        expected = wide[bot] ** 2 / model
        for side in (-1, 1):
            moved = strengths + side * wide[bot] * along
            fall = 2 * (likelihood.height - log_likelihood(likelihood.won, moved))
            found[bot] |= abs(fall / expected - 1) > _NEARLY
    return found


def _chunks(chosen: np.ndarray, size: int) -> Iterator[np.ndarray]:
    """The chosen bots in parts whose squares fit into memory."""
    rows = max(1, _CHUNK_ENTRIES // size**2)
    for start in range(0, len(chosen), rows):
        yield chosen[start : start + rows]
