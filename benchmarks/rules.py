"""How long the rules take: one decision of a random playout, against a reference loop.

    python benchmarks/rules.py [--matches N] [--rounds N]

A playout pays for everything: the shuffles, the legal actions, a uniform choice, playing it, and
the scores. The reference is `random.choice` from thirteen cards, measured in the same run right
before each playout, so that the ratio can be compared between machines and on busy ones.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time

from arena.games.callbreak.game import Callbreak

REFERENCE_CHOICES = 50_000


def reference_us() -> float:
    """Microseconds of one `random.choice` from thirteen."""
    choose, cards = random.Random(0).choice, tuple(range(13))
    start = time.perf_counter()
    for _ in range(REFERENCE_CHOICES):
        choose(cards)
    return (time.perf_counter() - start) / REFERENCE_CHOICES * 1e6


def playout_us(variant_name: str, matches: int) -> float:
    """Microseconds a decision, over whole matches at random."""
    game, choose, decisions = Callbreak(), random.Random(0).choice, 0
    variant = game.variant(variant_name)
    start = time.perf_counter()
    for match in range(matches):
        state = game.new_match(str(match), variant)
        while not state.is_terminal():
            state.apply(choose(state.legal_actions()))
            decisions += 1
    return (time.perf_counter() - start) / decisions * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the rules of Callbreak.")
    parser.add_argument("--matches", type=int, default=200, help="matches a round")
    parser.add_argument("--rounds", type=int, default=7, help="the median of so many is shown")
    options = parser.parse_args()
    print(f"{'variant':<10}{'us a decision':>15}{'reference us':>15}{'ratio':>8}")
    for name in Callbreak().variants():
        rounds = [
            (reference_us(), playout_us(name, options.matches)) for _ in range(options.rounds)
        ]
        reference, playout = (statistics.median(column) for column in zip(*rounds, strict=True))
        ratio = statistics.median(b / a for a, b in rounds)
        print(f"{name:<10}{playout:>15.2f}{reference:>15.3f}{ratio:>8.1f}")


if __name__ == "__main__":
    main()
