"""Count, sum and sum of squares: all that the tests keep of what they saw."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

PRIOR_SETS = 16
PRIOR_VARIANCE = 2.0
"""The guard: the variance is estimated as if 16 sets of variance 2 had been seen before.

Of near-identical bots most sets differ by nothing at all; without the guard the first few would
make the variance look like zero and the test decide on chance.
"""


@dataclass(frozen=True, slots=True)
class Sums:
    """Sufficient for mean and variance; adding in the same order gives the same bits."""

    n: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> Sums:
        return Sums(self.n + 1, self.total + value, self.squares + value * value)

    def add_all(self, values: Iterable[float]) -> Sums:
        sums = self
        for value in values:
            sums = sums.add(value)
        return sums

    @property
    def mean(self) -> float:
        return self.total / self.n if self.n else 0.0

    @property
    def deviations(self) -> float:
        """The sum of squared deviations from the mean; never negative."""
        return max(self.squares - self.n * self.mean**2, 0.0)

    @property
    def guarded_variance(self) -> float:
        return (self.deviations + PRIOR_SETS * PRIOR_VARIANCE) / (self.n + PRIOR_SETS)
