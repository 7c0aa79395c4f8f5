"""How long a test will take, and whether it can still end: by a walk between two bounds.

The evidence of both sides moves almost as one Brownian motion with drift ±1/2 a unit of variance, a
unit being s²/(m1-m0)² sets (Wald's test with known variance). The chance that it has left the
bounds by a given time is a well-known series (Cox & Miller, The Theory of Stochastic Processes,
1965, section 5.7).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from arena.regress.betting import wealth_bounds
from arena.regress.terms import Terms

_TERMS_OF_SERIES = 60
_SHORTEST = 1e-3


@dataclass(frozen=True, slots=True)
class Forecast:
    """What to expect if H1 is just true: mean sets, and the chance to be undecided at the cap."""

    sets: int
    undecided: float


def forecast(terms: Terms, variance: float) -> Forecast:
    """What to expect where the difference of one set has this variance."""
    accept, reject = wealth_bounds(terms)
    unit = variance / (terms.m1 - terms.m0) ** 2
    drifted = (1 - terms.beta) * accept - terms.beta * reject
    return Forecast(
        sets=min(math.ceil(2 * unit * drifted), terms.max_sets),
        undecided=survival(reject, accept, terms.max_sets / unit),
    )


def survival(below: float, above: float, time: float) -> float:
    """The chance that a walk with drift 1/2 and variance 1 has met neither bound by this time."""
    if min(below, above) <= 0:
        return 0.0
    if time < _SHORTEST * (below + above) ** 2:
        return 1.0
    width, drift = below + above, 0.5
    total = 0.0
    for k in range(1, _TERMS_OF_SERIES + 1):
        wave = k * math.pi / width
        mass = wave * (1 - (-1) ** k * math.exp(drift * width)) / (drift**2 + wave**2)
        total += math.sin(wave * below) * mass * math.exp(-(wave**2) * time / 2)
    found = 2 / width * total * math.exp(-drift * below - drift**2 * time / 2)
    return min(max(found, 0.0), 1.0)


def is_hopeless(evidence: tuple[float, float], variance: float, left: int, terms: Terms) -> bool:
    """Whether `left` more sets will hardly (once in a thousand) bring a decision, come what may.

    `evidence` is that against H0 and against H1.
    """
    accept, reject = wealth_bounds(terms)
    above, below = accept - evidence[0], reject - evidence[1]
    time = left * (terms.m1 - terms.m0) ** 2 / variance
    return min(survival(below, above, time), survival(above, below, time)) > _HOPELESS


_HOPELESS = 0.999
