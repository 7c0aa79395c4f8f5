"""Everything a report says about a finished (or stopped) test, as plain figures."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from arena.regress.intervals import confidence_sequence, elo, fixed_sets, spread
from arena.regress.sequential import bounds, llr
from arena.regress.sums import Sums
from arena.regress.terms import Terms
from arena.regress.trial import Trial
from arena.regress.verdict import Ending, Outcome

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Setting:
    """What was tested against what, in words and numbers.

    `others` names the bots of the field, if any. `deals` is how many deals each match had,
    `elo_deals` the match length for which Elo is given. `details` are further facts for the
    reports (digests, seed, variant), label and value.
    """

    candidate: str
    base: str
    terms: Terms
    deals: int
    elo_deals: int
    others: tuple[str, ...] = ()
    details: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure between two others; None where there is no bound yet."""

    value: float
    low: float | None
    high: float | None

    def through(self, scale: Callable[[float], float]) -> Interval:
        """The same interval on another, rising scale."""
        return Interval(
            scale(self.value),
            None if self.low is None else scale(self.low),
            None if self.high is None else scale(self.high),
        )


@dataclass(frozen=True, slots=True)
class Summary:
    """The verdict and its figures.

    `points` a deal and `elo` come with a confidence sequence. `fixed_sets` is what a test of fixed
    size would have played. `evidence` is the log wealth of the bets against H0 and against H1: it
    decides. `llr` only tells how the sets would look to a test that knew the variance. `move_ms`
    are median thinking times of candidate and base.
    """

    setting: Setting
    ending: Ending
    sets: int
    identical: bool
    llr: float
    lower: float
    upper: float
    points: Interval
    elo: Interval
    spread: float
    fixed_sets: int
    evidence: tuple[float, float]
    move_ms: tuple[float, float] | None = None

    @property
    def saved(self) -> float:
        """The share of a fixed test's sets that was not needed (negative: it took longer)."""
        return 1 - self.sets / self.fixed_sets

    @property
    def decided(self) -> bool:
        """Whether the differences themselves gave the verdict."""
        return self.ending.outcome in (Outcome.ACCEPTED, Outcome.REJECTED)

    @property
    def passed(self) -> bool:
        return self.ending.outcome is Outcome.ACCEPTED


def summarise(
    setting: Setting, trial: Trial, ending: Ending, move_ms: tuple[float, float] | None = None
) -> Summary:
    """The figures of a test that ended so."""
    terms, seen = setting.terms, trial.differences
    points = _points(seen)
    sd = spread(trial.gaps)
    lower, upper = bounds(terms)
    return Summary(
        setting=setting,
        ending=ending,
        sets=trial.sets,
        identical=trial.is_identical,
        llr=llr(seen, terms),
        lower=lower,
        upper=upper,
        points=points,
        elo=points.through(lambda d: elo(d, setting.elo_deals, sd)),
        spread=sd,
        fixed_sets=fixed_sets(seen.guarded_variance, terms.m0, terms.m1, terms.alpha, terms.beta),
        evidence=trial.wealth.evidence(terms),
        move_ms=move_ms,
    )


def _points(seen: Sums) -> Interval:
    low, high = confidence_sequence(seen, 1 - LEVEL)
    bounded = math.isfinite(low)
    return Interval(seen.mean, low if bounded else None, high if bounded else None)
