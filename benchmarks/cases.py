"""The cases that the regression test is held to, in one list for benchmarks and tests.

A rare loss is the hard case for every test of a mean: until it has been seen, it leaves no trace. A
case is a candidate that loses `loss` points in rare sets, differs by `small` points in a share of
the others (both ways if `both`), and equals its base in the rest. The loss is as rare as makes the
mean what is asked for; so at H0, each of these has to be accepted in at most alpha of all tests.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.games.callbreak.game import Callbreak
from arena.games.callbreak.variants import MASTER

SPAN = Callbreak().span(MASTER.as_dict(), duel=True)
"""How far the difference of one set can leave zero, in a duel of the variant `master`."""


@dataclass(frozen=True, slots=True)
class RareLoss:
    """A candidate with a rare loss. `held` says whether the default test promises alpha for it."""

    name: str
    loss: float
    small: float = 0.0
    share: float = 0.0
    both: bool = False
    held: bool = True

    def chance(self, mean: float) -> float:
        """How often the loss must come for this mean."""
        return ((0.0 if self.both else self.small * self.share) - mean) / self.loss

    def draw(
        self, mean: float, shape: tuple[int, int], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """Differences of sets with this mean."""
        lost = self.chance(mean)
        up, down = (self.share / 2, self.share / 2) if self.both else (self.share, 0.0)
        values = np.array([0.0, -self.loss, self.small, -self.small])
        drawn = rng.choice(4, size=shape, p=[1 - lost - up - down, lost, up, down])
        return np.asarray(values[drawn], np.float64)


CASES = (
    RareLoss("loses 5, else alike", 5),
    RareLoss("loses 10, else alike", 10),
    RareLoss("loses 21, else alike", 21),
    RareLoss("loses 5, gains 0.25 in every fifth", 5, 0.25, 0.2),
    RareLoss("loses 5, gains 0.1 nearly always", 5, 0.1, 0.9),
    RareLoss("loses 5, gains 1 in every eighth", 5, 1.0, 0.125),
    RareLoss("loses 7, gains 0.25 in every fifth", 7, 0.25, 0.2),
    RareLoss("loses 7, gains 0.25 in every second", 7, 0.25, 0.5),
    RareLoss("loses 7, ±0.25 in two of five", 7, 0.25, 0.4, both=True),
    RareLoss("loses 10, gains 0.25 in every fifth", 10, 0.25, 0.2, held=False),
    RareLoss("loses 14, gains 0.25 in every fifth", 14, 0.25, 0.2, held=False),
    RareLoss("loses 21, gains 0.25 in every second", 21, 0.25, 0.5, held=False),
)
"""The named cases. Those that are not held cannot be had at the price of the default test
(docs/decisions/0010-worst-cases.md); `--strict` holds them all."""


def random_case(largest: float, rng: np.random.Generator) -> RareLoss:
    """One of the mixtures among which a search looks for the worst; no loss beyond `largest`."""
    loss = float(rng.uniform(1, largest))
    small = float(min(rng.exponential(0.5) + 0.05, loss))
    share = float(rng.uniform(0.05, 0.6))
    both = bool(rng.random() < 0.3)
    return RareLoss(
        f"loses {loss:.1f}, {'±' if both else 'gains '}{small:.2f} in {share:.0%}",
        loss,
        small,
        share,
        both,
    )
