"""Error rates and lengths of the regression test by simulation: the table of the guide.

    python -m benchmarks.regress [--runs 800] [--seed 1] [--search 30]

First the cases of rare losses (benchmarks/cases.py) at the mean of H0, and the worst that a search
among random mixtures of losses within what is guarded against finds. Then, for each pair of players
(benchmarks/populations.py), real deals are played with the real rules until there is a stock of
sets. Runs of the test draw sets from this stock, tilted so that its mean is exactly that of H0 or
of H1, and are judged by the same formulas as `arena regress`. The column "sets" is the mean under
H0 and H1; "before" is what the likelihood ratio took that this test replaced. Last, how the default
test ends if the truth lies halfway between its hypotheses.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.regress.simulation import Simulated, simulate, tilted
from arena.regress.terms import GUARDED, PRESETS, Terms
from benchmarks.cases import CASES, SPAN, RareLoss, random_case
from benchmarks.populations import PAIRS, observations

STOCK = {1: 20_000, 4: 4_000}
"""How many sets are played for a stock, by deals a match."""

BEFORE = {"near-identical": (257, 269), "a tweak": (545, 528), "randomised": (1123, 1149)}
"""Mean sets under H0 and H1 of the guarded likelihood ratio, at one deal a match."""

HEADINGS = (
    *("bots", "deals", "variance", "alike", "test"),
    *("type I", "type II", "undecided", "sets", "before"),
)

CAP = 5_000
"""Deal sets at most in a simulated run; the command's own cap is higher."""

CHUNK = 100
"""Runs simulated at once: bounds the memory."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    at_h0: Simulated
    at_h1: Simulated


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=800)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--search", type=int, default=30)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    _print_cases(options.runs, options.search, rng)
    print(f"| {' | '.join(HEADINGS)} |")
    print("|---" * len(HEADINGS) + "|")
    for deals, sets in STOCK.items():
        for name, pair in PAIRS.items():
            seen = observations(pair, sets, deals, f"stock {options.seed}")
            stock = np.array([each.difference for each in seen])
            for test, terms in _tests(deals):
                row = _simulate(terms, stock, options.runs, rng)
                designed = BEFORE.get(name) if deals == 1 and not terms.strict else None
                facts = f"{name} | {deals} | {stock.var():.2f} | {(stock == 0).mean():.0%} | {test}"
                print(f"| {facts} | {_figures(row, designed)} |", flush=True)
    print_halfway(options.runs // 2, options.seed)


def print_halfway(runs: int, seed: int) -> None:
    """How the default test ends if the truth lies halfway between its hypotheses."""
    rng, (_, terms) = np.random.default_rng([seed, 1]), _tests(1)[0]
    print("\n| bots | accepted | sets | times those at the hypotheses |")
    print("|---|--:|--:|--:|")
    for name, pair in PAIRS.items():
        seen = observations(pair, STOCK[1], 1, f"stock {seed}")
        stock = np.array([each.difference for each in seen])
        found = _at(terms, stock, (terms.m0 + terms.m1) / 2, runs, rng)
        row = _simulate(terms, stock, runs, rng)
        usual = (row.at_h0.mean_sets + row.at_h1.mean_sets) / 2
        figures = f"{found.accepted:.0%} | {found.mean_sets:.0f} | {found.mean_sets / usual:.1f}"
        print(f"| {name} | {figures} |", flush=True)


def _print_cases(runs: int, searched: int, rng: np.random.Generator) -> None:
    """Type I errors where losses are rare: of the default test, for a gain, and strict."""
    tests = _tests(1)
    print(f"| case | {' | '.join(name for name, _ in tests)} |")
    print("|---" * (len(tests) + 1) + "|")
    for case in CASES:
        errors = [f"{_wrongly_accepted(terms, case, runs, rng):.1%}" for _, terms in tests]
        mark = "" if case.held else " *"
        print(f"| {case.name}{mark} | {' | '.join(errors)} |", flush=True)
    terms = tests[0][1]
    tried = [random_case(terms.guarded, rng) for _ in range(searched)]
    found = [(_wrongly_accepted(terms, case, runs // 4, rng), case) for case in tried]
    for error, case in sorted(found, key=lambda each: -each[0])[:1]:
        again = _wrongly_accepted(terms, case, runs, rng)
        print(f"\nworst of {searched} searched: {case.name}: {again:.1%} (first {error:.1%})\n")


def _wrongly_accepted(terms: Terms, case: RareLoss, runs: int, rng: np.random.Generator) -> float:
    return float(
        np.mean(
            [
                simulate(terms, case.draw(terms.m0, (CHUNK, terms.max_sets), rng)).accepted
                for _ in range(max(runs // CHUNK, 1))
            ]
        )
    )


def _tests(deals: int) -> list[tuple[str, Terms]]:
    """As `arena regress` asks them at so many deals a match."""
    return [
        *(
            (name, Terms(m0, m1, max_sets=CAP, span=SPAN, guarded=GUARDED / deals))
            for name, (m0, m1) in PRESETS.items()
        ),
        ("strict", Terms(*PRESETS["no-regression"], max_sets=CAP, strict=True, span=SPAN)),
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
