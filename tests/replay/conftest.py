"""Recorded matches, and commands driven through a pseudo-terminal."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pexpect
import pytest

from arena.games.callbreak.game import Callbreak
from arena.records import BotId, Fault, FaultKind, MatchRecord, Note, points_from_tenths, ranks_of

GAME = Callbreak()
SIZE = (40, 120)
SECONDS = 60


def play_match(match: str = "3-1", *, seed: str = "5", **changes: Any) -> dict[str, Any]:
    """The record of a match of two deals between players of whim."""
    variant = GAME.variant("master", {"deals": 2})
    rng = random.Random(seed)
    state = GAME.new_match(seed, variant)
    while not state.is_terminal():
        state.apply(rng.choice(state.legal_actions()))
    totals = tuple(state.returns())
    fields: dict[str, Any] = {
        "match": match,
        "set": "s",
        "game": "callbreak",
        "variant": variant,
        "seed": seed,
        "started": "2026-01-02T03:04:05Z",
        "seats": tuple(BotId(name, "1", "") for name in ("ann", "bob", "cem", "dee")),
        "deals": tuple(state.record()),
        "scores": tuple(map(points_from_tenths, totals)),
        "ranks": ranks_of(totals, (False,) * 4),
    }
    return MatchRecord(**{**fields, **changes}).as_dict()


HOSTILE = "\x1b[31mred\x1b]0;title\x07\u202e<b>"


@pytest.fixture
def hostile_record() -> dict[str, Any]:
    """A match whose every text that an author controls would drive a terminal."""
    record = play_match(
        seats=tuple(BotId(f"{HOSTILE}{seat}", "1", "") for seat in range(4)),
        notes=(Note(0, 1, 1, HOSTILE),),
    )
    fault = Fault(1, FaultKind.MALFORMED, HOSTILE, 1, 1, stderr=f"x\n{HOSTILE}", retired=False)
    return {**record, "faults": [fault.as_dict()]}


@pytest.fixture
def records_file(tmp_path: Path) -> Path:
    """Two matches in a file of records."""
    file = tmp_path / "records.jsonl"
    lines = [orjson.dumps(play_match(name, seed=name)) for name in ("3-1", "3-2")]
    file.write_bytes(b"\n".join(lines) + b"\n")
    return file


Terminal = Callable[..., pexpect.spawn]


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    """Starts `arena …` in a pseudo-terminal of 120 columns, in an empty folder."""
    children: list[pexpect.spawn] = []

    def start(*arguments: str) -> pexpect.spawn:
        environment = {**os.environ, "TERM": "xterm-256color", "XDG_CACHE_HOME": str(tmp_path)}

        child = pexpect.spawn(
            sys.executable,
            ["-m", "arena", *arguments],
            cwd=tmp_path,
            env=environment,
            dimensions=SIZE,
            encoding="utf-8",
            timeout=SECONDS,
        )
        children.append(child)
        return child

    yield start
    for child in children:
        child.close(force=True)
