"""Does a comparison of two boards find who moved, and nobody else?

    python -m benchmarks.comparison [--pairs N] [--seed N]

Two tournaments of the same 8 bots with known strengths (benchmarks/coverage.py plays them), of
which one bot has gained so many Elo before the second. Shown: how often it is called up, and how
often any other bot is called moved.
"""

from __future__ import annotations

import argparse

import numpy as np

from arena.ratings.elo import ELO, fit_elo
from arena.report.comparison import changes
from benchmarks.coverage import BOTS, SPREAD_ELO, Design, play

ORBITS, LUCK = 60, 0.5
GAINS = (0.0, 100.0, 200.0, 400.0)


def flagged(gain: float, pairs: int, seed: int) -> tuple[float, float]:
    """The shares of comparisons that call the mover up, and that call another bot moved."""
    chance = np.random.default_rng([seed, round(gain)])
    design, found, blamed = Design("compared", ORBITS, LUCK), 0, 0
    for _ in range(pairs):
        before = chance.normal(0, SPREAD_ELO / ELO, BOTS)
        after = before.copy()
        after[0] += gain / ELO
        fits = (fit_elo(list(play(strengths, design, chance))) for strengths in (before, after))
        moved = {bot: change for bot, change in changes(*fits) if change.is_clear}
        mover = moved.pop("bot-0", None)
        found += mover is not None and mover.elo > 0
        blamed += bool(moved)
    return found / pairs, blamed / pairs


def main() -> None:
    """Prints one line a gain."""
    parser = argparse.ArgumentParser(description="Comparison of two boards.")
    parser.add_argument("--pairs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("| one bot gained | it is called up | another is called moved |")
    print("|--:|--:|--:|")
    for gain in GAINS:
        found, blamed = flagged(gain, options.pairs, options.seed)
        print(f"| {gain:.0f} Elo | {found:.1%} | {blamed:.1%} |", flush=True)


if __name__ == "__main__":
    main()
