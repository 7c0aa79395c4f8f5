"""Fuzzes framing, reply parsing and whole dialogues for as long as you like.

    python -m tests.fuzz [SECONDS] [--seed N]

An hour unless told otherwise; every test run does a fixed part of the same. A difference between
the parser and a plain reader, a match that is not whole, or memory that grows ends it with a
traceback; the seed and the round that it names play the same bytes again (`--seed S --round R`).
"""

from __future__ import annotations

import argparse
import random
import resource
import time

from tests.protocol.fuzz import mangled_lines, try_line
from tests.referee.fuzz import Mangler, play_mangled

LINES, MATCHES = 500, 10
"""In one round."""

GROWTH_LIMIT_MB = 64
"""More than this beyond the peak of the first rounds is memory without a bound."""

WARM_ROUNDS = 20


def fuzz_round(seed: int, number: int) -> int:
    """Tries lines and matches; gives how many faults the matches had."""
    chance = random.Random(f"{seed} {number}")
    lines = mangled_lines(chance)
    for _ in range(LINES):
        try_line(next(lines), chance)
    return sum(len(play_mangled(Mangler(chance), chance).faults) for _ in range(MATCHES))


def peak_mb() -> float:
    """The most memory that this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def fuzz_for(seconds: float, seed: int) -> str:
    """Fuzzes for so long and says what was tried. Fails at the first thing that is wrong."""
    end, number, faults, warm_mb = time.monotonic() + seconds, 0, 0, 0.0
    while time.monotonic() < end:
        try:
            faults += fuzz_round(seed, number)
        except BaseException:
            print(f"in round {number}: --seed {seed} --round {number}")
            raise
        number += 1
        if number == WARM_ROUNDS:
            warm_mb = peak_mb()
        assert number < WARM_ROUNDS or peak_mb() < warm_mb + GROWTH_LIMIT_MB, "memory grows"
    return (
        f"{number * LINES:,} lines, {number * MATCHES:,} matches with {faults:,} faults, "
        f"{peak_mb():.0f} MB at most: nothing wrong"
    )


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Fuzzes what bots say.")
    parser.add_argument("seconds", type=float, nargs="?", default=3600.0)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--round", type=int, default=None, help="play this round alone")
    asked = parser.parse_args()
    seed = random.SystemRandom().randrange(2**32) if asked.seed is None else asked.seed
    if asked.round is not None:
        print(f"{fuzz_round(seed, asked.round)} faults, nothing wrong")
    else:
        print(f"seed {seed}", flush=True)
        print(fuzz_for(asked.seconds, seed))


if __name__ == "__main__":
    main()
