"""Would it pay to play out only some of the sets whose calls are alike?

    python -m benchmarks.looks [--runs N] [--sets N] [--seed N]

A cheap look at a set (the calls: 8 of its 112 decisions) tells whether both matches call alike. If
so, the set is played out with a chance of `share`, and its difference then counts 1/share times,
else it counts as 0. The mean stays what it was, so the betting test stays exact, if its stakes
survive losses that are 1/share times as large. Shown for each pair: the mean cost of the default
test in whole sets under H0 and H1, for several shares; 1 is the test as it is. "bold" keeps the
stakes of today: what could be had if weights cost nothing, which is not a valid test.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from arena.regress.simulation import simulate, tilted
from arena.regress.terms import GUARDED, PRESETS, Terms
from benchmarks.cases import SPAN
from benchmarks.populations import PAIRS, looked_at

LOOK = 8 / 112
SHARES = (1.0, 0.7, 0.5, 0.25)
CAP = 5_000
CHUNK = 50

Floats = NDArray[np.float64]


def mean_cost(
    terms: Terms, stock: Floats, alike: NDArray[np.bool_], share: float, runs: int, valid: bool
) -> tuple[float, float]:
    """The mean cost in whole sets under H0 and under H1."""
    guard = terms.guarded / share if valid else terms.guarded
    asked = replace(terms, span=terms.span / share if valid else terms.span, guarded=guard)
    found = []
    for mean in (terms.m0, terms.m1):
        rng = np.random.default_rng(1)
        weights = tilted(stock, mean)
        bounds = weights.cumsum()
        skipped = float(weights[alike].sum())
        sets = []
        for _ in range(max(runs // CHUNK, 1)):
            drawn = np.minimum(np.searchsorted(bounds, rng.random((CHUNK, CAP))), len(stock) - 1)
            played = rng.random(drawn.shape) < share
            counted = np.where(
                alike[drawn], np.where(played, stock[drawn] / share, 0), stock[drawn]
            )
            sets.append(simulate(asked, counted).mean_sets)
        looked = 1.0 if share == 1 else 1 - skipped + skipped * (LOOK + (1 - LOOK) * share)
        found.append(float(np.mean(sets)) * looked)
    return found[0], found[1]


def main() -> None:
    """Prints one line a pair."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--sets", type=int, default=4_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    m0, m1 = PRESETS["no-regression"]
    terms = Terms(m0, m1, max_sets=CAP, span=SPAN, guarded=GUARDED)
    heads = [f"{share:g}" for share in SHARES] + [f"{share:g} bold" for share in SHARES[1:]]
    print(f"| bots | calls alike | of them D ≠ 0 | {' | '.join(heads)} |")
    print("|---" * (3 + len(heads)) + "|")
    for name, pair in PAIRS.items():
        seen = looked_at(pair, options.sets, f"look {options.seed}")
        stock = np.array([difference for difference, _ in seen])
        alike = np.array([same for _, same in seen])
        tried = [(share, True) for share in SHARES] + [(share, False) for share in SHARES[1:]]
        costs = [
            "{:.0f} / {:.0f}".format(*mean_cost(terms, stock, alike, share, options.runs, valid))
            for share, valid in tried
        ]
        differing = (stock[alike] != 0).mean() if alike.any() else 0.0
        print(
            f"| {name} | {alike.mean():.0%} | {differing:.1%} | {' | '.join(costs)} |", flush=True
        )


if __name__ == "__main__":
    main()
