"""The guarded generalised likelihood ratio, for reports; and when a test is looked at.

The log likelihood ratio of two means of a normal variable, with its variance estimated from the
same sets; it is fishtest's `LLR_alt2` for real-valued clusters, with a guard on the variance
(sums.py). It decided before betting did (docs/decisions/0010-worst-cases.md says why no longer).
"""

from __future__ import annotations

import math

from arena.regress.sums import Sums
from arena.regress.terms import FIRST_LOOK, LOOK_EVERY, Terms


def llr(sums: Sums, terms: Terms) -> float:
    """The log of how much likelier H1 makes what was seen than H0 does."""
    if not sums.n:
        return 0.0
    excess = 2 * sums.mean - terms.m0 - terms.m1
    return sums.n * (terms.m1 - terms.m0) * excess / (2 * sums.guarded_variance)


def bounds(terms: Terms) -> tuple[float, float]:
    """Reject at or below the first, accept at or above the second."""
    return (
        math.log(terms.beta / (1 - terms.alpha)),
        math.log((1 - terms.beta) / terms.alpha),
    )


def is_a_look(n: int) -> bool:
    """Whether the test may decide after n sets."""
    return n >= FIRST_LOOK and (n - FIRST_LOOK) % LOOK_EVERY == 0
