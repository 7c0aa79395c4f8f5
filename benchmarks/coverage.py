"""Do 95 % error bars hold the true rating 95 % of the time?

    python benchmarks/coverage.py [--tournaments N] [--seed N]

Bots with known strengths play whole tournaments, and each bar is held against the truth. A seat's
result is the bot's strength plus a Gumbel deviate (a Plackett-Luce table), so that every pair of
seats follows Bradley-Terry with exactly these strengths, while the six pairs of a table hang
together. An orbit of n tables is one deal set: a share of the deviates belongs to the seat and the
deal set (the luck of the cards, the same at all its tables), the rest to the match. Marginally
nothing changes; the tables of a deal set become alike.

Shown for each design: the coverage of the whole recipe (the error of deal sets and of the model
together, by Student's t), of deal sets alone, and of the model alone, which takes every pair
of seats as independent.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from arena.ratings.api import Rated, Result
from arena.ratings.elo import ELO, MEAN, BatchElo

BOTS = 8
SPREAD_ELO = 120.0
NORMAL_95 = 1.959964


@dataclass(frozen=True, slots=True)
class Design:
    """How a tournament is played. `luck` is the share of the cards' luck in a result."""

    name: str
    orbits: int
    luck: float


DESIGNS = (
    Design("2 orbits", 2, 0.5),
    Design("5 orbits", 5, 0.5),
    Design("10 orbits", 10, 0.5),
    Design("25 orbits", 25, 0.5),
    Design("60 orbits", 60, 0.5),
    Design("60 orbits, no luck of the cards", 60, 0.0),
    Design("60 orbits, nothing but luck of the cards", 60, 1.0),
    Design("150 orbits", 150, 0.5),
)


def play(strengths: np.ndarray, design: Design, chance: np.random.Generator) -> Iterator[Result]:
    """One tournament of cyclic orbits."""
    for orbit in range(design.orbits):
        base = chance.permutation(BOTS)[:4]
        seatings = (base + np.arange(BOTS)[:, None]) % BOTS
        cards = np.broadcast_to(chance.gumbel(size=4), seatings.shape)
        own = chance.gumbel(size=seatings.shape)
        luck = np.where(chance.random(seatings.shape) < design.luck, cards, own)
        for seating, scores in zip(seatings, strengths[seatings] + luck, strict=True):
            bots = tuple(f"bot-{bot}" for bot in seating)
            yield Result(bots, tuple(scores.tolist()), (False,) * 4, str(orbit), 4)


def covered(bot: Rated, truth: float) -> tuple[bool, bool, bool]:
    """Whether the bar holds the truth: the whole recipe, deal sets alone, the model alone."""
    off = abs(bot.elo - MEAN - truth)
    assert bot.high is not None
    assert bot.se_cluster is not None
    assert bot.se_model is not None
    return (
        off <= bot.high - bot.elo,
        off <= NORMAL_95 * bot.se_cluster,
        off <= NORMAL_95 * bot.se_model,
    )


def coverage(design: Design, tournaments: int, seed: int) -> tuple[np.ndarray, float]:
    """Coverage by recipe, deal sets and model; and the mean half-width of the bars in Elo."""
    chance = np.random.default_rng([seed, design.orbits, round(10 * design.luck)])
    held, width = [], []
    for _ in range(tournaments):
        strengths = chance.normal(0, SPREAD_ELO / ELO, BOTS)
        strengths -= strengths.mean()
        for bot in BatchElo().rate(list(play(strengths, design, chance))).rated:
            held.append(covered(bot, float(strengths[int(bot.bot[4:])]) * ELO))
            width.append((bot.high or 0) - bot.elo)
    return np.mean(held, axis=0), float(np.mean(width))


def main() -> None:
    """Prints one line a design."""
    parser = argparse.ArgumentParser(description="Coverage of the 95 % error bars.")
    parser.add_argument("--tournaments", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"{options.tournaments} tournaments of {BOTS} bots, seed {options.seed}")
    print(f"{'design':42} {'bar ±':>6} {'recipe':>7} {'sets':>7} {'model':>7} {'s':>5}")
    for design in DESIGNS:
        start = time.perf_counter()
        held, width = coverage(design, options.tournaments, options.seed)
        figures = " ".join(f"{100 * share:6.1f}%" for share in held)
        took = time.perf_counter() - start
        print(f"{design.name:42} {width:6.0f} {figures} {took:5.0f}", flush=True)


if __name__ == "__main__":
    main()
