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
import math
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
    """How a tournament is played. `luck` is the share of the cards' luck in a result.

    `step` apart are the strengths if it is not 0; the first bot is ahead by `ahead`. In Elo.
    """

    name: str
    orbits: int
    luck: float
    step: float = 0.0
    ahead: float = 0.0

    def strengths(self, chance: np.random.Generator) -> np.ndarray:
        """Those of one tournament, in natural units, around 0."""
        drawn = chance.normal(0, SPREAD_ELO / ELO, BOTS)
        if self.step:
            drawn = np.arange(BOTS)[::-1] * self.step / ELO
        drawn[0] += self.ahead / ELO
        return drawn - drawn.mean()


DESIGNS = (
    Design("2 orbits", 2, 0.5),
    Design("5 orbits", 5, 0.5),
    Design("10 orbits", 10, 0.5),
    Design("25 orbits", 25, 0.5),
    Design("60 orbits", 60, 0.5),
    Design("60 orbits, every table its own luck", 60, 0.0),
    Design("60 orbits, nothing but luck of the cards", 60, 1.0),
    Design("150 orbits", 150, 0.5),
)
FAR = tuple(
    Design(f"{orbits} orbits, {what}", orbits, 0.5, step, ahead)
    for what, step, ahead in (("steps of 400 Elo", 400.0, 0.0), ("one bot at +1200", 0.0, 1200.0))
    for orbits in (5, 30, 200)
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


@dataclass(frozen=True, slots=True)
class Coverage:
    """Shares of the bars that hold the truth. `all_bots` by the whole recipe, `leader` that of the
    strongest bot alone, `mean` of bars read as if against the mean of all bots; then by deal sets
    alone and by the model alone. `finite` is the share of bars with two ends, `width` half of their
    median length.
    """

    all_bots: float
    leader: float
    mean: float
    sets: float
    model: float
    finite: float
    width: float


def coverage(design: Design, tournaments: int, seed: int) -> Coverage:
    """How often the bars of a design hold the truth."""
    chance = np.random.default_rng([seed, design.orbits, round(10 * design.luck)])
    rows: list[tuple[bool, ...]] = []
    leaders: list[bool] = []
    widths: list[float] = []
    for _ in range(tournaments):
        strengths = design.strengths(chance)
        found = BatchElo().rate(list(play(strengths, design, chance)))
        core = found.details["cores"][0]
        truth = {f"bot-{bot}": float(strength) * ELO for bot, strength in enumerate(strengths)}
        shown = {bot.bot: bot.elo - MEAN for bot in found.rated}
        shift = sum(shown[bot] - truth[bot] for bot in core) / len(core)
        for bot in found.rated:
            rows.append(_held(bot, truth[bot.bot], shift))
            if truth[bot.bot] == max(truth.values()):
                leaders.append(rows[-1][0])
            if not math.isinf(bot.high - bot.low):
                widths.append((bot.high - bot.low) / 2)
    shares = np.mean(rows, axis=0).tolist()
    width = float(np.median(widths)) if widths else math.inf
    return Coverage(shares[0], float(np.mean(leaders)), *shares[1:], len(widths) / len(rows), width)


def _held(bot: Rated, truth: float, shift: float) -> tuple[bool, ...]:
    """Whether the bar holds the truth: against the core, against the mean of all bots, by the
    deal sets' error and by the model's."""
    assert bot.se_cluster is not None
    assert bot.se_model is not None
    off = abs(bot.elo - MEAN - truth - shift)
    return (
        bot.low <= MEAN + truth + shift <= bot.high,
        bot.low <= MEAN + truth <= bot.high,
        off <= NORMAL_95 * bot.se_cluster,
        off <= NORMAL_95 * bot.se_model,
    )


def main() -> None:
    """Prints one line a design, as they stand in docs/guide/boards.md."""
    parser = argparse.ArgumentParser(description="Coverage of the 95 % error bars.")
    parser.add_argument("--tournaments", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("| design | bar ± | whole recipe | deal sets alone | model alone |")
    print("|---|--:|--:|--:|--:|")
    for design in DESIGNS:
        found = coverage(design, options.tournaments, options.seed)
        shares = f"{found.all_bots:.1%} | {found.sets:.1%} | {found.model:.1%}"
        print(f"| {design.name} | {found.width:.0f} | {shares} |", flush=True)
    print("\n| design | bar ± | with two ends | all bots | the first bot | from the mean of all |")
    print("|---|--:|--:|--:|--:|--:|")
    for design in FAR:
        found = coverage(design, options.tournaments // 2, options.seed)
        shares = f"{found.all_bots:.1%} | {found.leader:.1%} | {found.mean:.1%}"
        print(f"| {design.name} | {found.width:.0f} | {found.finite:.0%} | {shares} |", flush=True)


if __name__ == "__main__":
    main()
