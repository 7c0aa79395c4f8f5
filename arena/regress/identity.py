"""When sets that all end alike are enough to call a candidate no worse.

A candidate that plays exactly as its base is no regression. A real one, worse by m0 on average and
by at most the game's whole span where it differs at all, would differ on a share p >= |m0|/span of
the sets, and end alike on n sets running with a chance of at most (1-p)^n. The test stops once this
is alpha. No valid test can stop earlier: until then such a bug looks just like no bug.
"""

from __future__ import annotations

import math

from arena.regress.terms import FIRST_LOOK, Terms


def identical_sets_needed(terms: Terms) -> int | None:
    """How many sets must end alike, all of them; None where this says nothing against H0."""
    if terms.m0 >= 0:
        return None
    share = min(-terms.m0 / terms.span, 0.5)
    return max(FIRST_LOOK, math.ceil(math.log(terms.alpha) / math.log1p(-share)))
