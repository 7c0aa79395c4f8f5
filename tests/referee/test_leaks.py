"""A seat is told what it may know: cards that it cannot see change no byte that it is sent."""

from __future__ import annotations

import dataclasses
import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from arena.games.callbreak.cards import NUMBERS
from arena.games.callbreak.game import Callbreak
from arena.games.callbreak.shuffle import Dealt, deals_from
from arena.games.callbreak.state import CallbreakState
from arena.games.callbreak.variants import PRESETS, build_variant
from arena.referee.match import OVER, Match
from arena.referee.session import Session
from tests.referee.links import a_table

DEALS = 2
DECISIONS = 56
"""In one deal."""


class Stacked(Callbreak):
    """Callbreak with the cards that a test wants."""

    def __init__(self, dealt: tuple[Dealt, ...]) -> None:
        self._dealt = dealt

    def new_match(self, seed: str, variant: Mapping[str, Any]) -> CallbreakState:
        return CallbreakState(self._dealt, build_variant(variant["name"], variant))


class Transcript:
    """A match on given cards; `sent` holds every byte for each seat. Actions are chosen by `rng`,
    or are those of another match, as far as they go."""

    def __init__(self, dealt: tuple[Dealt, ...], preset: str) -> None:
        game = Stacked(dealt)
        table = dataclasses.replace(
            a_table(), game=game, variant=game.variant(preset, {"deals": DEALS})
        )
        sessions = [Session() for _ in range(4)]
        self.sent = [[session.hello({})] for session in sessions]
        for session in sessions:
            session.receive(b'{"id":0}\n')
        self.match = Match(table, sessions)
        self.actions: list[Any] = []

    def ask(self) -> dict[str, Any]:
        """Writes the next request and gives it as its bot reads it."""
        data = self.match.request()
        self.sent[self.seat].append(data)
        return json.loads(data.splitlines()[-1])

    def play(self, decisions: int, rng: random.Random) -> None:
        while len(self.actions) < decisions and self.turn() != OVER:
            request = self.ask()
            self.answer(request, rng.choice(request["legal"]))

    def play_again(self, actions: Sequence[Any]) -> bool:
        """True if these actions were legal on these cards too."""
        for action in actions:
            self.turn()
            request = self.ask()
            if action not in request["legal"]:
                return False
            self.answer(request, action)
        return True

    def turn(self) -> int:
        self.seat = self.match.turn()
        return self.seat

    def answer(self, request: dict[str, Any], action: Any) -> None:
        line = json.dumps({"id": request["id"], "action": action}).encode()
        self.match.received(line + b"\n", 1.0)
        self.actions.append(action)


def redealt(dealt: Dealt, seat: int, open_cards: set[int], rng: random.Random) -> Dealt:
    """The same deal to the eye of a seat: the cards of the others that never lay open, permuted."""
    hidden = [c for s, hand in enumerate(dealt.hands) if s != seat for c in hand]
    hidden = [card for card in hidden if card not in open_cards]
    rng.shuffle(hidden)
    hands = [
        hand
        if other == seat
        else tuple(sorted(c if c in open_cards else hidden.pop() for c in hand))
        for other, hand in enumerate(dealt.hands)
    ]
    return dataclasses.replace(dealt, hands=tuple(hands))


@given(
    preset=st.sampled_from(sorted(PRESETS)),
    seed=st.text("0123456789abcdef", min_size=1, max_size=8),
    decisions=st.integers(0, DECISIONS * DEALS - 1),
    rng=st.randoms(use_true_random=False),
)
@settings(max_examples=60, deadline=None)
def test_cards_that_a_seat_cannot_know_change_no_byte_that_it_is_sent(
    preset: str, seed: str, decisions: int, rng: random.Random
) -> None:
    rules = build_variant(preset, {"deals": DEALS})
    dealt = deals_from(seed, rules)
    first = Transcript(dealt, preset)
    first.play(decisions, rng)
    seat = first.turn()
    first.ask()
    other = list(dealt)
    for number in range(decisions // DECISIONS, DEALS):
        played = first.actions[number * DECISIONS :]
        open_cards = {NUMBERS[action] for action in played if isinstance(action, str)}
        other[number] = redealt(dealt[number], seat, open_cards, rng)
    second = Transcript(tuple(other), preset)
    assume(second.play_again(first.actions))
    assert second.turn() == seat
    second.ask()
    assert second.sent[seat] == first.sent[seat]


def test_the_test_would_see_a_leak() -> None:
    rng = random.Random(1)
    rules = build_variant("master", {"deals": DEALS})
    dealt = deals_from("1", rules)
    other = (redealt(dealt[0], 0, set(), rng), dealt[1])
    assert other != dealt
    mine, theirs = Transcript(dealt, "master"), Transcript(other, "master")
    for transcript in (mine, theirs):
        for _ in range(4):
            transcript.turn()
            transcript.answer(transcript.ask(), 2)
    assert mine.sent[0] == theirs.sent[0]
    assert mine.sent[1] != theirs.sent[1]
