"""The strict test: two gamblers, one who bets against H0 and one against H1.

A gambler who starts with 1 and stakes a fraction λ of its wealth on "the next difference exceeds
m0" gains nothing in the long run while the true mean is at most m0: its wealth is a
supermartingale, and by Ville's inequality ever reaches 1/alpha with a chance of at most alpha,
whenever one looks and however the sets are distributed. Only two things are asked: the stake is
settled before the set is seen, and no single loss can ruin (hence the cap). Waudby-Smith & Ramdas,
"Estimating means of bounded random variables by betting" (JRSS B, 2024).

The stake is what would make wealth grow fastest if the mean lay at the other hypothesis,
(m1-m0)/s², with the guarded variance of past sets.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from arena.regress.sums import Sums
from arena.regress.terms import Terms

LARGEST_LOSS = 0.9
"""The largest part of its wealth that a gambler can lose on one set."""


@dataclass(frozen=True, slots=True)
class Wealth:
    """The logarithms of what the two gamblers own."""

    against_h0: float = 0.0
    against_h1: float = 0.0

    def after(self, difference: float, past: Sums, terms: Terms) -> Wealth:
        """The wealth once a set has been seen; `past` holds the sets before it, not itself."""
        up, down = stakes(past.guarded_variance, terms)
        return Wealth(
            self.against_h0 + math.log1p(up * (difference - terms.m0)),
            self.against_h1 + math.log1p(down * (terms.m1 - difference)),
        )


def stakes(variance: float, terms: Terms) -> tuple[float, float]:
    """The fractions that the two gamblers stake on the next set, by what is known so far."""
    wanted = (terms.m1 - terms.m0) / variance
    most_up, most_down = largest_stakes(terms)
    return min(wanted, most_up), min(wanted, most_down)


def largest_stakes(terms: Terms) -> tuple[float, float]:
    """The fractions that no single set can turn into more than the largest loss."""
    return LARGEST_LOSS / (terms.span + terms.m0), LARGEST_LOSS / (terms.span - terms.m1)


def wealth_bounds(terms: Terms) -> tuple[float, float]:
    """Log wealth against H0 at which to accept, and against H1 at which to reject."""
    return -math.log(terms.alpha), -math.log(terms.beta)
