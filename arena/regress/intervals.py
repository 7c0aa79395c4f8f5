"""How large the difference is, in points a deal and in Elo.

An ordinary confidence interval is too narrow at a moment that the data themselves have chosen.
The confidence sequence here holds at all times at once, for large n: Waudby-Smith, Arbour, Sinha,
Kennedy & Ramdas, "Time-uniform central limit theory and asymptotic confidence sequences" (Annals
of Statistics 2024), eq. 5.
"""

from __future__ import annotations

import math
from statistics import NormalDist

from arena.regress.sums import Sums

TIGHTEST_AT = 500
SPREAD_UNTIL_MEASURED = 4.2
FEWEST_GAPS = 64
"""Seat differences needed before their measured spread is taken instead of the usual one."""


def confidence_sequence(sums: Sums, alpha: float = 0.05) -> tuple[float, float]:
    """An interval for the mean that holds at every n together; tightest near 500 sets."""
    if not sums.n:
        return -math.inf, math.inf
    # The rho that makes the width least at n = TIGHTEST_AT (the paper's appendix).
    rho2 = (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / TIGHTEST_AT
    scaled = sums.n * rho2 + 1
    factor = 2 * scaled / (sums.n**2 * rho2) * math.log(math.sqrt(scaled) / alpha)
    width = math.sqrt(sums.guarded_variance * factor)
    return sums.mean - width, sums.mean + width


def spread(gaps: Sums) -> float:
    """The standard deviation of the difference between two seats of one deal, in points."""
    if gaps.n < FEWEST_GAPS or gaps.deviations == 0:
        return SPREAD_UNTIL_MEASURED
    return math.sqrt(gaps.deviations / (gaps.n - 1))


def elo(points_per_deal: float, deals: int, sd: float) -> float:
    """Points a deal as logistic Elo at a match length: who of two seats has the higher total.

    With totals nearly normal, q = Φ(D √deals / sd) is the chance to be ahead, and the Elo
    difference is 400 log10(q/(1-q)).
    """
    x = points_per_deal * math.sqrt(deals) / sd
    # Beyond 25 standard deviations the tail underflows; no real difference comes near.
    x = max(-25.0, min(25.0, x)) / math.sqrt(2)
    return 400 * math.log10(math.erfc(-x) / math.erfc(x))


def fixed_sets(variance: float, m0: float, m1: float, alpha: float, beta: float) -> int:
    """How many sets a test of fixed size would play for the same error rates."""
    z = _quantile(1 - alpha) + _quantile(1 - beta)
    return math.ceil(variance * (z / (m1 - m0)) ** 2)


def _quantile(p: float) -> float:
    return NormalDist().inv_cdf(p)
