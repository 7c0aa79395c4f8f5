"""What is asked of a sequential test: two hypotheses, two error rates, an end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from arena.errors import ConfigError

FIRST_LOOK = 32
LOOK_EVERY = 8
"""Sets before which no verdict falls; and from look to look at speed and at whether to go on."""


MAX_SETS = 8_000
"""Enough for bots that differ by nothing but chance in all they do (variance 4 a set)."""

GUARDED = 7.0
"""Points of one deal; docs/decisions/0010-worst-cases.md shows what more would cost."""


LEAST_GAP = 1e-6
"""Points a deal. Nobody could play the sets that tell less apart, nor do numbers hold it."""

LEAST_RISK = 1e-12


@dataclass(frozen=True, slots=True)
class Terms:
    """H0: the candidate is better by `m0`. H1: by `m1`. Both in points a deal.

    `alpha` is the chance to accept although H0 holds, `beta` to reject although H1 does; after
    `max_sets` deal sets without a decision the verdict is "undecided". `span` is the most by which
    the difference of one deal set can leave zero, in points a deal (in the variant `master` 21 in
    a duel, 25 against a field). `strict` keeps the error rates for differences up to it. Without
    `strict` they hold up to `guarded`, and up to `span` where sets seldom differ at all.
    """

    m0: float
    m1: float
    alpha: float = 0.05
    beta: float = 0.05
    max_sets: int = MAX_SETS
    strict: bool = False
    span: float = 25.0
    guarded: float = GUARDED

    def __post_init__(self) -> None:
        for wrong, what in (
            (not self.m0 < self.m1, f"m0 must be below m1, not {self.m0:g} and {self.m1:g}"),
            (
                not self.m1 - self.m0 >= LEAST_GAP,
                f"m0 and m1 must be at least {LEAST_GAP:g} apart, not {self.m1 - self.m0:g}",
            ),
            *(
                (
                    not LEAST_RISK <= risk < 0.5,
                    f"{name} must lie between {LEAST_RISK:g} and 0.5, not {risk:g}",
                )
                for name, risk in (("alpha", self.alpha), ("beta", self.beta))
            ),
            (
                self.max_sets < FIRST_LOOK,
                f"max-sets must be at least {FIRST_LOOK}, not {self.max_sets}",
            ),
            (
                not -self.span < self.m0 < self.m1 < self.span,
                f"m0 and m1 must lie within ±{self.span:g} points a deal",
            ),
            (
                not max(-self.m0, self.m1) < self.guarded,
                f"m0 and m1 must lie within ±{self.guarded:g} points a deal",
            ),
        ):
            if wrong:
                raise ConfigError(what, where="regression test")


PRESETS: Mapping[str, tuple[float, float]] = MappingProxyType(
    {"no-regression": (-0.1, 0.0), "gain": (0.0, 0.1)}
)
"""m0 and m1 by name, the default first. An unchanged bot is at H1 of the default: it passes at the
promised rate, as in fishtest's tests of simplifications."""
