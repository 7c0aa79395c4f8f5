"""Error rates and lengths of the regression test by simulation: the table of the guide.

    python -m benchmarks.regress [--runs 4000] [--seed 1]

For each pair of players (benchmarks/populations.py) real deals are played with the real rules
until there is a stock of sets. Runs of the test draw sets from this stock, tilted so that its mean
is exactly that of H0 or of H1, and are judged by the same formulas as `arena regress`. The column
"sets" is the mean under H0 and H1; "expected" is what the test was designed for.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.games.callbreak.game import Callbreak
from arena.games.callbreak.variants import MASTER
from arena.regress.simulation import Simulated, simulate, tilted
from arena.regress.terms import PRESETS, Terms
from benchmarks.populations import PAIRS, observations

STOCK = {1: 20_000, 4: 6_000}
"""How many sets are played for a stock, by deals a match."""

DESIGNED = {"near-identical": (252, 297), "a tweak": (515, 532), "randomised": (1130, 1135)}
"""Mean sets under H0 and H1 that the test was designed for, at one deal a match."""

HEADINGS = (
    *("bots", "deals", "variance", "alike", "test"),
    *("type I", "type II", "undecided", "sets", "expected"),
)

SPAN = Callbreak().span(MASTER.as_dict(), duel=True)
"""How far the difference of one set can leave zero."""

CHUNK = 200
"""Runs simulated at once: bounds the memory."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    at_h0: Simulated
    at_h1: Simulated


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=4_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    print(f"| {' | '.join(HEADINGS)} |")
    print("|---" * len(HEADINGS) + "|")
    for deals, sets in STOCK.items():
        for name, pair in PAIRS.items():
            seen = observations(pair, sets, deals, f"stock {options.seed}")
            stock = np.array([each.difference for each in seen])
            for test, terms in _tests():
                row = _simulate(terms, stock, options.runs, rng)
                designed = DESIGNED[name] if deals == 1 and not terms.strict else None
                facts = f"{name} | {deals} | {stock.var():.2f} | {(stock == 0).mean():.0%} | {test}"
                print(f"| {facts} | {_figures(row, designed)} |", flush=True)


def _tests() -> list[tuple[str, Terms]]:
    return [
        *((name, Terms(m0, m1)) for name, (m0, m1) in PRESETS.items()),
        ("no-regression, strict", Terms(*PRESETS["no-regression"], strict=True, span=SPAN)),
    ]


def _simulate(terms: Terms, stock: NDArray[np.float64], runs: int, rng: np.random.Generator) -> Row:
    return Row(*(_at(terms, stock, mean, runs, rng) for mean in (terms.m0, terms.m1)))


def _at(
    terms: Terms, stock: NDArray[np.float64], mean: float, runs: int, rng: np.random.Generator
) -> Simulated:
    """The test on runs drawn from a stock that was given this mean."""
    bounds = tilted(stock, mean).cumsum()
    parts = []
    for _ in range(max(runs // CHUNK, 1)):
        drawn = np.searchsorted(bounds, rng.random((CHUNK, terms.max_sets)))
        parts.append(simulate(terms, stock[np.minimum(drawn, len(stock) - 1)]))
    return Simulated(
        *(float(np.mean([getattr(part, key) for part in parts])) for key in Simulated.__slots__)
    )


def _figures(row: Row, designed: tuple[int, int] | None) -> str:
    undecided = max(row.at_h0.undecided, row.at_h1.undecided)
    errors = f"{row.at_h0.accepted:.1%} | {row.at_h1.rejected:.1%} | {undecided:.1%}"
    sets = f"{row.at_h0.mean_sets:.0f} / {row.at_h1.mean_sets:.0f}"
    return f"{errors} | {sets} | " + (f"{designed[0]} / {designed[1]}" if designed else "")


if __name__ == "__main__":
    main()
