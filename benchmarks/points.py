"""Elo from points beside Elo from places: are its bars honest, how much shorter, and how biased?

    python -m benchmarks.points [--tournaments N] [--orbits N] [--seed N]

First, simulated tournaments of 8 bots with known points a deal and normal luck, half of it the
luck of the cards: how many of the 95 % bars of `elo-points` hold the truth, and half of the bars of
both ratings on the same matches. Then simple players with the real rules: both figures, and how far
they are apart.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from arena.games.callbreak.variants import PRESETS
from arena.ratings.api import Result
from arena.ratings.elo import MEAN, BatchElo
from arena.ratings.points import PointsElo, elo_of
from benchmarks.populations import Style, play_match

BOTS, DEALS = 8, 4
SEAT_SD = 4.2 / math.sqrt(2)
"""Of one seat in one deal; the difference of two has 4.2, as measured on simple players."""

SPREAD_POINTS = 0.9
"""Between bots, a deal: about 120 Elo."""

DESIGNS = (
    ("5 orbits", 5, 0.5),
    ("25 orbits", 25, 0.5),
    ("60 orbits", 60, 0.5),
    ("150 orbits", 150, 0.5),
    ("10 orbits, every table its own luck", 10, 0.0),
)

STYLES = (
    Style(),
    Style(boldness=0.18),
    Style(boldness=0.45),
    Style(boldness=-0.3),
    Style(blunders=0.01),
    Style(blunders=0.05),
    Style(boldness=0.7),
    Style(blunders=0.15),
)


@dataclass(frozen=True, slots=True)
class Found:
    """Shares of bars that hold the truth, and half of the mean bar of either rating."""

    covered: float
    points_bar: float
    places_bar: float


def play(
    strengths: np.ndarray, orbits: int, luck: float, chance: np.random.Generator
) -> Iterator[Result]:
    """One tournament of cyclic orbits; strengths in points a deal, `luck` is the cards' share."""
    for orbit in range(orbits):
        base = chance.permutation(BOTS)[:4]
        seatings = (base + np.arange(BOTS)[:, None]) % BOTS
        of_cards, own = chance.normal(size=4), chance.normal(size=seatings.shape)
        both = math.sqrt(luck) * of_cards + math.sqrt(1 - luck) * own
        totals = DEALS * strengths[seatings] + math.sqrt(DEALS) * SEAT_SD * both
        for seating, scores in zip(seatings, np.round(totals, 1), strict=True):
            names = tuple(f"bot-{bot}" for bot in seating)
            yield Result(names, tuple(scores.tolist()), (False,) * 4, str(orbit), DEALS)


def coverage(orbits: int, tournaments: int, seed: int, luck: float = 0.5) -> Found:
    """How often the bars hold the truth, and how long they are."""
    chance = np.random.default_rng([seed, orbits])
    held: list[bool] = []
    bars: dict[str, list[float]] = {"points": [], "places": []}
    for _ in range(tournaments):
        strengths = chance.normal(0, SPREAD_POINTS, BOTS)
        unit = math.sqrt(DEALS) / (SEAT_SD * math.sqrt(2))
        truth = [MEAN + elo_of(unit * float(own)) for own in strengths - strengths.mean()]
        results = list(play(strengths, orbits, luck, chance))
        for bot in PointsElo().rate(results).rated:
            assert bot.low is not None
            assert bot.high is not None
            held.append(bot.low <= truth[int(bot.bot[4:])] <= bot.high)
            bars["points"].append((bot.high - bot.low) / 2)
        for bot in BatchElo().rate(results).rated:
            assert bot.low is not None
            assert bot.high is not None
            bars["places"].append((bot.high - bot.low) / 2)
    return Found(*(float(np.mean(each)) for each in (held, bars["points"], bars["places"])))


def real_results(orbits: int, seed: int) -> Iterator[Result]:
    """Cyclic orbits of the styles, by the real rules."""
    rng, rules = random.Random(seed), replace(PRESETS["master"], deals=DEALS)
    for orbit in range(orbits):
        base = rng.sample(range(len(STYLES)), 4)
        for shift in range(len(STYLES)):
            seats = [(bot + shift) % len(STYLES) for bot in base]
            styles = [STYLES[bot] for bot in seats]
            scores = play_match(styles, f"{seed}/{orbit}", rules, rng)
            names = tuple(f"style-{bot}" for bot in seats)
            yield Result(names, tuple(scores), (False,) * 4, str(orbit), DEALS)


def main() -> None:
    """Prints both tables."""
    parser = argparse.ArgumentParser(description="Elo from points beside Elo from places.")
    parser.add_argument("--tournaments", type=int, default=200)
    parser.add_argument("--orbits", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("| design | bars that hold | `elo-points` ± | `elo` ± | matches saved by a factor |")
    print("|---|--:|--:|--:|--:|")
    for name, orbits, luck in DESIGNS:
        found = coverage(orbits, options.tournaments, options.seed, luck)
        ratio = (found.places_bar / found.points_bar) ** 2
        bars = f"{found.points_bar:.0f} | {found.places_bar:.0f} | {ratio:.1f}"
        print(f"| {name} | {found.covered:.1%} | {bars} |", flush=True)
    results = list(real_results(options.orbits, options.seed))
    places = {bot.bot: bot for bot in BatchElo().rate(results).rated}
    points = {bot.bot: bot for bot in PointsElo().rate(results).rated}
    print("\n| real rules | `elo` | ± | `elo-points` | ± | matches saved by a factor |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, by_place in places.items():
        by_points = points[name]
        bars = [(bot.high or 0) - (bot.low or 0) for bot in (by_place, by_points)]
        print(
            f"| {name} | {by_place.elo:.0f} | {bars[0] / 2:.0f} | {by_points.elo:.0f} | "
            f"{bars[1] / 2:.0f} | {(bars[0] / bars[1]) ** 2:.1f} |"
        )
    apart = math.sqrt(np.mean([(places[name].elo - points[name].elo) ** 2 for name in places]))
    print(f"\napart by {apart:.0f} Elo (root mean square), {len(results):,} matches")


if __name__ == "__main__":
    main()
