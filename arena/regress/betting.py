"""The test: two gamblers, one who bets against H0 and one against H1.

A gambler who starts with 1 and stakes a fraction λ of its wealth on "the next difference exceeds
m0" gains nothing in the long run while the true mean is at most m0: its wealth is a
supermartingale, and by Ville's inequality ever reaches 1/alpha with a chance of at most alpha,
whenever one looks and however the sets are distributed. Only two things are asked: the stake is
settled before the set is seen, and no single loss can ruin (hence the cap). Waudby-Smith & Ramdas,
"Estimating means of bounded random variables by betting" (JRSS B, 2024).

The stake is what would make wealth grow fastest if the mean lay at the other hypothesis,
(m1-m0)/s², with the guarded variance of past sets.

The cap has a price: whoever must survive the loss of the whole span cannot bet boldly, and no
valid test of any kind can be quicker (docs/decisions/0010-worst-cases.md). So each gambler keeps
two accounts. The careful one survives the whole span. The bold one survives `guarded`, and is the
one that counts once enough sets have differed to show what kind of differences there are. Under
`--strict` the careful account alone counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from arena.regress.sums import Sums
from arena.regress.terms import Terms

LARGEST_LOSS = 0.95
"""The largest part of its wealth that an account can lose on one set."""

BOLD_AFTER = 16
"""Sets that must have differed before the bold accounts count."""


@dataclass(frozen=True, slots=True)
class Wealth:
    """The logarithms of what the two gamblers own: in the careful accounts, then the bold ones.

    `differing` counts the sets with a difference other than 0.
    """

    against_h0: float = 0.0
    against_h1: float = 0.0
    bold_against_h0: float = 0.0
    bold_against_h1: float = 0.0
    differing: int = 0

    def after(self, difference: float, past: Sums, terms: Terms) -> Wealth:
        """The wealth once a set has been seen; `past` holds the sets before it, not itself."""
        gains = difference - terms.m0, terms.m1 - difference
        careful, bold = (
            [_grown(stake, gain) for stake, gain in zip(found, gains, strict=True)]
            for found in (
                stakes(past.guarded_variance, terms, reach) for reach in (terms.span, terms.guarded)
            )
        )
        return Wealth(
            self.against_h0 + careful[0],
            self.against_h1 + careful[1],
            self.bold_against_h0 + bold[0],
            self.bold_against_h1 + bold[1],
            self.differing + (difference != 0),
        )

    def evidence(self, terms: Terms) -> tuple[float, float]:
        """Log wealth against H0 and against H1, in the accounts that count."""
        if terms.strict or self.differing < BOLD_AFTER:
            return self.against_h0, self.against_h1
        return self.bold_against_h0, self.bold_against_h1


def _grown(stake: float, gain: float) -> float:
    """By how much log wealth changes; a loss beyond what was guarded against takes no more."""
    return math.log(max(1 + stake * gain, 1 - LARGEST_LOSS))


def stakes(variance: float, terms: Terms, reach: float | None = None) -> tuple[float, float]:
    """The fractions that the two gamblers stake on the next set, by what is known so far.

    No set that differs by at most `reach` (the whole span unless given) costs more than the
    largest loss.
    """
    wanted = (terms.m1 - terms.m0) / variance
    most_up, most_down = largest_stakes(terms, terms.span if reach is None else reach)
    return min(wanted, most_up), min(wanted, most_down)


def largest_stakes(terms: Terms, reach: float) -> tuple[float, float]:
    """The fractions that no difference within `reach` can turn into more than the largest loss."""
    return LARGEST_LOSS / (reach + terms.m0), LARGEST_LOSS / (reach - terms.m1)


def wealth_bounds(terms: Terms) -> tuple[float, float]:
    """Log wealth against H0 at which to accept, and against H1 at which to reject."""
    return -math.log(terms.alpha), -math.log(terms.beta)
