"""The test under way: what it has seen, in order, and whether that decides it.

The verdict falls at the first crossing. Sets must be added in the order of the plan, so that the
same sets give the same verdict however many workers played them; a resumed run takes its records in
that order again.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from arena.regress.betting import BOLD_AFTER, Wealth, wealth_bounds
from arena.regress.forecast import is_hopeless
from arena.regress.identity import identical_sets_needed
from arena.regress.observation import Observation
from arena.regress.sequential import is_a_look
from arena.regress.sums import Sums
from arena.regress.terms import FIRST_LOOK, Terms
from arena.regress.verdict import Ending, Outcome
from arena.words import counted


@dataclass(frozen=True, slots=True)
class Trial:
    """The state after `differences.n` sets. `same` counts sets whose two matches ended alike."""

    differences: Sums = field(default_factory=Sums)
    gaps: Sums = field(default_factory=Sums)
    wealth: Wealth = field(default_factory=Wealth)
    same: int = 0

    @property
    def sets(self) -> int:
        return self.differences.n

    @property
    def is_identical(self) -> bool:
        """Whether nothing has differed so far, and something was seen."""
        return 0 < self.sets == self.same

    def after(self, seen: Observation, terms: Terms) -> Trial:
        """The state once one more set has been seen."""
        return Trial(
            self.differences.add(seen.difference),
            self.gaps.add_all(seen.gaps),
            self.wealth.after(seen.difference, self.differences, terms),
            self.same + seen.same,
        )

    def ending(self, terms: Terms) -> Ending | None:
        """The verdict if the test is over at this very set, else None."""
        outcome = self._by_betting(terms)
        if outcome is None and self._is_alike_long_enough(terms):
            outcome = Outcome.ACCEPTED
        if outcome is None and self._is_at_its_end(terms):
            outcome = Outcome.UNDECIDED
        return Ending(outcome, self._reason(outcome, terms)) if outcome else None

    def _by_betting(self, terms: Terms) -> Outcome | None:
        if self.sets < FIRST_LOOK:
            return None
        accept, reject = wealth_bounds(terms)
        against_h0, against_h1 = self.wealth.evidence(terms)
        if against_h1 >= reject:
            return Outcome.REJECTED
        return Outcome.ACCEPTED if against_h0 >= accept else None

    def _is_alike_long_enough(self, terms: Terms) -> bool:
        needed = identical_sets_needed(terms)
        return needed is not None and self.sets >= needed and self.is_identical

    def _is_at_its_end(self, terms: Terms) -> bool:
        """At the cap; or at a look from which the cap will come before any decision.

        Of bots that have hardly differed the variance is not known yet.
        """
        left = terms.max_sets - self.sets
        if left <= 0:
            return True
        if not is_a_look(self.sets) or self.wealth.differing < BOLD_AFTER:
            return False
        spread = self.differences.guarded_variance
        return is_hopeless(self.wealth.evidence(terms), spread, left, terms)

    def _reason(self, outcome: Outcome, terms: Terms) -> str:
        if outcome is Outcome.UNDECIDED and self.sets < terms.max_sets:
            return (
                f"after {counted(self.sets, 'deal set')} no decision can be expected within "
                f"{terms.max_sets:,} any more"
            )
        if outcome is Outcome.UNDECIDED:
            return f"no decision within {terms.max_sets:,} deal sets"
        if self.is_identical:
            return f"identical on {self.sets} deal sets"
        beaten = "H1" if outcome is Outcome.REJECTED else "H0"
        return f"the evidence against {beaten} suffices after {counted(self.sets, 'deal set')}"
