"""OpenSkill: the Plackett-Luce model of Weng and Lin (2011), from the `openskill` package.

It sees a table as one ranking of all seats. It works match after match, and is labelled for that.
The scale is set so that at a table of four a difference reads as Elo: the model's logistic scale
is β √4 once the uncertainties are small.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arena.errors import ConfigError
from arena.ratings.api import Anchor, Rated, Ratings, Result
from arena.ratings.elo import ELO, MEAN
from arena.ratings.sequential import order_dependent_ratings

_SEATS = 4
_PRIOR_SD = 2 * ELO  # the prior of batch Elo: 1/√λ natural units
_NORMAL_95 = 1.959964


@dataclass(frozen=True, slots=True)
class OpenSkill:
    """Plackett-Luce ratings without drift, since a bot does not change between matches."""

    name: str = "openskill"
    summary: str = "OpenSkill (Plackett-Luce), match after match; depends on their order"

    def rate(self, results: Sequence[Result], *, anchor: Anchor | None = None) -> Ratings:
        """Rates in the order of the results; bars are the model's own."""
        model = _plackett_luce()
        known = {bot: model.rating() for result in results for bot in result.bots}
        for result in results:
            _update(model, known, result)
        rated = {
            bot: Rated(
                bot,
                elo=rating.mu,
                low=rating.mu - _NORMAL_95 * rating.sigma,
                high=rating.mu + _NORMAL_95 * rating.sigma,
                se=rating.sigma,
            )
            for bot, rating in known.items()
        }
        return order_dependent_ratings(results, rated, anchor)


def _plackett_luce() -> Any:
    # Imported here because the package is an extra: without it the system is known by name, and
    # says what to install when it is asked for.
    try:
        from openskill.models import PlackettLuce
    except ImportError as error:
        raise ConfigError(
            "the package openskill is not installed",
            where="--rating openskill",
            mend="pip install 'callbreak-arena[openskill]'",
        ) from error
    return PlackettLuce(mu=MEAN, sigma=_PRIOR_SD, beta=ELO / math.sqrt(_SEATS), tau=0.0)


def _update(model: Any, known: dict[str, Any], result: Result) -> None:
    """Each seat is rated on its own; a bot in several seats takes all their changes."""
    if len(set(result.bots)) < 2:
        return
    keys = [(not out, score) for out, score in zip(result.retired, result.scores, strict=True)]
    ranks = [float(sum(other > key for other in keys)) for key in keys]
    before = {bot: known[bot] for bot in result.bots}
    # The package updates rating objects in place: one that stood for two seats would move twice.
    seats = [[model.rating(mu=before[bot].mu, sigma=before[bot].sigma)] for bot in result.bots]
    after = model.rate(seats, ranks=ranks)
    mu = {bot: rating.mu for bot, rating in before.items()}
    sigma = {bot: rating.sigma for bot, rating in before.items()}
    for bot, (rating,) in zip(result.bots, after, strict=True):
        mu[bot] += rating.mu - before[bot].mu
        sigma[bot] *= rating.sigma / before[bot].sigma
    for bot in before:
        known[bot] = model.rating(mu=mu[bot], sigma=sigma[bot])
