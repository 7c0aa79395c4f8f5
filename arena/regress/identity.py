"""When sets that all end alike are enough to call a candidate no worse.

With hypotheses on either side of zero the likelihood ratio of a candidate that plays exactly as
its base stays at zero for ever. But such a candidate is no regression. A real one, worse by m0 on
average and by at most `worst` points a deal where it differs at all, would differ on a share
p >= |m0|/worst of the sets, and end alike on n sets running with a chance of at most (1-p)^n. The
test stops once this is alpha. Where bots differ, a set is decided by 1 to 2 points a deal at the
mean (docs/guide/regress.md); 2.5 is on the safe side. The strict test takes the whole span.
"""

from __future__ import annotations

import math

from arena.regress.terms import FIRST_LOOK, Terms

WORST_ON_AVERAGE = 2.5


def identical_sets_needed(terms: Terms) -> int | None:
    """How many sets must end alike, all of them; None where this says nothing against H0."""
    if terms.m0 >= 0:
        return None
    worst = terms.span if terms.strict else min(WORST_ON_AVERAGE, terms.span)
    share = min(-terms.m0 / worst, 0.5)
    return max(FIRST_LOOK, math.ceil(math.log(terms.alpha) / math.log1p(-share)))
