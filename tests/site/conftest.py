"""Whole synthetic matches, and pages made of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from arena.games.callbreak.game import Callbreak
from arena.records import BotId, Fault, FaultKind, MatchRecord, Note, SeatTiming, ranks_of
from arena.records import points_from_tenths

GAME = Callbreak()
BOTS = ("random", "timid", "bold", "counter", "steady", "wild")


def choose(bot: str, state: Any, rng: random.Random) -> int:
    """A quick player's choice: bots differ enough for the board to have something to say."""
    legal = state.legal_actions()
    if bot == "random":
        return rng.choice(legal)
    if state.kind() == "play":
        return max(legal) if bot == "timid" and rng.random() < 0.5 else legal[0]
    hand = state.observation(state.current_player())["hand"]
    sure = sum(card[0] in "AK" for card in hand) + max(0, sum(c[1] == "S" for c in hand) - 3)
    bias = {"bold": 2, "wild": rng.choice((0, 3)), "timid": -1}.get(bot, 0)
    return min(max(sure + bias, legal[0]), legal[-1])


def play_match(
    number: int, bots: Sequence[str], *, variant: str = "master", **changes: Any
) -> dict[str, Any]:
    """The record of one match of quick players; `changes` replace fields of the MatchRecord."""
    rng = random.Random(number)
    parameters = GAME.variant(variant)
    state = GAME.new_match(f"seed-{number // len(BOTS)}", parameters)
    while not state.is_terminal():
        state.apply(choose(bots[state.current_player()], state, rng))
    fields: dict[str, Any] = {
        "match": f"{number // len(BOTS) + 1}-{number % len(BOTS) + 1}",
        "set": f"{number // len(BOTS) + 1}.cafe",
        "game": "callbreak",
        "variant": parameters,
        "seed": f"seed-{number // len(BOTS)}",
        "started": "2026-01-02T03:04:05Z",
        "seats": tuple(BotId(bot, "1.0", "ab" * 32) for bot in bots),
        "deals": tuple(state.record()),
        "scores": tuple(points_from_tenths(total) for total in state.returns()),
        "ranks": ranks_of(tuple(state.returns()), (False,) * 4),
        "timing": tuple(SeatTiming(56, 11.2 + seat, 0.9) for seat in range(4)),
        "notes": (Note(1, 2, 7, "I kept the ace for later."), Note(0, 1, None, "two sure tricks")),
    }
    return MatchRecord(**{**fields, **changes}).as_dict()


@pytest.fixture(scope="session")
def records() -> list[dict[str, Any]]:
    """A small tournament of six quick players, with one fault in it."""
    made = [
        play_match(n, [BOTS[(n + step) % len(BOTS)] for step in (0, 1, 3, 4)]) for n in range(120)
    ]
    fault = Fault(2, FaultKind.TIMEOUT, "no answer within 1000 ms", 2, 7, used_ms=1000.4,
                  limit_ms=1000, stderr="thinking...\nstill thinking...")  # fmt: skip
    bots = ["random", "timid", "bold", "counter"]
    made.append(play_match(120, bots, match="odd-1", faults=(fault,), ranks=(1, 2, 4, 3)))
    return made


Play = Callable[..., dict[str, Any]]


@pytest.fixture(scope="session")
def play() -> Play:
    """Plays a match of quick players and gives its record."""
    return play_match
