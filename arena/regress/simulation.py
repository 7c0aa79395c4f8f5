"""What a test would do, many times over: error rates and mean sets on given differences.

The same test as trial.py, for whole arrays of runs at once, but that no run ends before the cap
because it has become hopeless. Populations of real differences are
resampled; to give them a chosen mean they are tilted (weights e^(θD)), which keeps their support:
sets that differ by nothing still differ by nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.regress.betting import BOLD_AFTER, LARGEST_LOSS, largest_stakes, wealth_bounds
from arena.regress.identity import identical_sets_needed
from arena.regress.sums import PRIOR_SETS, PRIOR_VARIANCE
from arena.regress.terms import FIRST_LOOK, Terms

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Simulated:
    """Shares of runs that ended each way, and the sets they took (those at the cap included)."""

    accepted: float
    rejected: float
    undecided: float
    mean_sets: float


def simulate(terms: Terms, differences: Floats) -> Simulated:
    """Runs the test on each row of `differences`, which has `terms.max_sets` columns."""
    accept, reject = _crossings(terms, differences)
    cap = terms.max_sets
    accepted_at, rejected_at = _first(accept, cap), _first(reject, cap)
    ended_at = np.minimum(np.minimum(accepted_at, rejected_at), cap)
    return Simulated(
        accepted=float((accepted_at < rejected_at).mean()),
        rejected=float((rejected_at < accepted_at).mean()),
        undecided=float((accepted_at == rejected_at).mean()),
        mean_sets=float(ended_at.mean()),
    )


def tilted(population: Floats, mean: float) -> Floats:
    """Weights, with sum 1, under which the population has this mean."""
    low, high = -50.0, 50.0
    for _ in range(80):
        middle = (low + high) / 2
        if _weights(population, middle) @ population < mean:
            low = middle
        else:
            high = middle
    return _weights(population, (low + high) / 2)


def _weights(population: Floats, theta: float) -> Floats:
    exponent = theta * population
    weights = np.exp(exponent - exponent.max())
    result: Floats = weights / weights.sum()
    return result


def _first(crossed: Flags, cap: int) -> NDArray[np.int64]:
    """By row, the set at which it first crosses; one beyond the cap if it never does."""
    return np.where(crossed.any(axis=1), crossed.argmax(axis=1) + 1, cap + 1)


def _crossings(terms: Terms, differences: Floats) -> tuple[Flags, Flags]:
    """By row and set, whether the test accepts or rejects there."""
    n = np.arange(1, differences.shape[1] + 1)
    total = differences.cumsum(axis=1)
    deviations = np.maximum((differences**2).cumsum(axis=1) - total**2 / n, 0)
    variance = (deviations + PRIOR_SETS * PRIOR_VARIANCE) / (n + PRIOR_SETS)
    before = np.full((len(differences), 1), PRIOR_VARIANCE)
    wanted = (terms.m1 - terms.m0) / np.concatenate([before, variance[:, :-1]], axis=1)
    up, down = _evidence(terms, differences, wanted, terms.span)
    if not terms.strict:
        is_bold = (differences != 0).cumsum(axis=1) >= BOLD_AFTER
        bold_up, bold_down = _evidence(terms, differences, wanted, terms.guarded)
        up, down = np.where(is_bold, bold_up, up), np.where(is_bold, bold_down, down)
    accept, reject = wealth_bounds(terms)
    may_decide = n >= FIRST_LOOK
    accepts = (up >= accept) & may_decide
    if (needed := identical_sets_needed(terms)) is not None:
        accepts |= ((differences != 0).cumsum(axis=1) == 0) & (n >= needed)
    return accepts, (down >= reject) & may_decide


def _evidence(
    terms: Terms, differences: Floats, wanted: Floats, reach: float
) -> tuple[Floats, Floats]:
    """Log wealth against H0 and against H1 in accounts that survive this reach."""
    most_up, most_down = largest_stakes(terms, reach)
    up = 1 + np.minimum(wanted, most_up) * (differences - terms.m0)
    down = 1 + np.minimum(wanted, most_down) * (terms.m1 - differences)
    floor = 1 - LARGEST_LOSS
    return np.log(np.maximum(up, floor)).cumsum(axis=1), np.log(np.maximum(down, floor)).cumsum(
        axis=1
    )
