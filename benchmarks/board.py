"""How long a leaderboard takes.

    python benchmarks/board.py [--matches N] [--full | --run]

Rates 10,000 tables of 20 bots that are in memory already (target 0.3 s), then runs `arena board` on
a file of N minimal records (100,000: target 5 s in all, from start to exit). With `--full` the
records carry the account of four deals as well, and with `--run` those are in a run folder. Beside
the time stands the processor time of all processes together, which a busy machine changes less.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from arena.ratings.api import Result
from arena.ratings.elo import BatchElo
from arena.records import brief_of
from arena.store import Played, RunStore, packed

BOTS = 20
ORBIT = 20
ROUNDS = 5


def records(matches: int, full: bool) -> Iterator[dict[str, Any]]:
    """Records of 20 bots of different strength, in deal sets of 20 tables."""
    chance = random.Random(1)
    for match in range(matches):
        bots = chance.sample(range(BOTS), 4)
        scores = [round(chance.gauss(bot / 4, 8)) for bot in bots]
        record: dict[str, Any] = {
            "match": str(match),
            "set": f"set-{match // ORBIT}",
            "seats": [{"bot": f"bot-{b:02}", "version": "1.0", "digest": f"{b:064}"} for b in bots],
            "scores": scores,
            "faults": [],
        }
        if full:
            record["deals"] = [deal(dealer, chance) for dealer in range(4)]
            record["timing"] = [{"decisions": 56, "total_ms": 3.5, "slowest_ms": 0.4}] * 4
        yield record


def deal(dealer: int, chance: random.Random) -> dict[str, Any]:
    """A deal of the size of a real one; its cards are not those of a game."""
    cards = [rank + suit for suit in "SHDC" for rank in "AKQJT98765432"]
    chance.shuffle(cards)
    tricks = [
        {"leader": dealer, "cards": cards[at : at + 4], "winner": dealer} for at in range(0, 52, 4)
    ]
    return {
        "deal": dealer + 1,
        "dealer": dealer,
        "hands": [cards[at : at + 13] for at in range(0, 52, 13)],
        "calls": [2, 3, 4, 2],
        "tricks": tricks,
        "won": [3, 3, 4, 3],
        "points": [2, 3, -4, 2],
        "scores": [2, 3, -4, 2],
    }


def rating_s() -> float:
    """The fastest of some ratings of 10,000 tables, in seconds."""
    results = [
        Result(
            tuple(seat["bot"] for seat in record["seats"]),
            tuple(record["scores"]),
            (False,) * 4,
            record["set"],
            4,
        )
        for record in records(10_000, full=False)
    ]
    return min(_timed(results) for _ in range(ROUNDS))


def _timed(results: list[Result]) -> float:
    start = time.perf_counter()
    BatchElo().rate(results)
    return time.perf_counter() - start


def command_s(source: Path) -> tuple[float, float]:
    """One `arena board SOURCE`: seconds, and seconds of processor time."""
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "arena", "board", str(source)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - start, used


def write_file(path: Path, made: Iterator[dict[str, Any]]) -> None:
    """The records as JSON lines."""
    with path.open("wb") as out:
        for record in made:
            out.write(orjson.dumps(record) + b"\n")


def write_run(folder: Path, made: Iterator[dict[str, Any]]) -> None:
    """The records in a run folder, as a run stores them."""
    played = (
        Played(
            number,
            record["match"],
            (0,) * 4,
            (1,) * 4,
            packed(orjson.dumps(record), orjson.dumps(brief_of(record))),
        )
        for number, record in enumerate(made)
    )
    with RunStore.create(folder, {}) as store:
        while batch := list(islice(played, 1000)):
            store.add(batch)


def main() -> None:
    """Prints the two figures."""
    parser = argparse.ArgumentParser(description="How long a leaderboard takes.")
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--run", action="store_true")
    options = parser.parse_args()
    print(f"rating 10,000 tables of {BOTS} bots: {rating_s():.3f} s")
    made = records(options.matches, options.full or options.run)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / ("run" if options.run else "records.jsonl")
        (write_run if options.run else write_file)(source, made)
        wall_s, used_s = command_s(source)
    kind = "records of a run" if options.run else f"{'full' if options.full else 'minimal'} records"
    print(
        f"arena board on {options.matches:,} {kind}: {wall_s:.1f} s ({used_s:.1f} s of processor)"
    )


if __name__ == "__main__":
    main()
