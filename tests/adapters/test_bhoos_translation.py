"""Nothing is translated but notation: what goes through the bridge and back is what it was."""

from __future__ import annotations

import itertools
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.adapters.bhoos import bridge
from arena.adapters.bhoos.cards import our_name, their_name
from arena.adapters.bhoos.question import read_question
from arena.games.callbreak.cards import DECK, NAMES
from arena.games.callbreak.game import Callbreak
from arena.games.callbreak.variants import build_variant

IDS = ["north", "east", "south", "west"]
THEIR_ORDER = [rank + suit for suit in "SHCD" for rank in "1KQJT98765432"]


def requests(seed: int, variant: str, deals: int = 2):
    """Every request of a match played at random: kind, state and legal actions on the wire."""
    chance = random.Random(seed)
    game = Callbreak()
    state = game.new_match(str(seed), game.variant(variant, {"deals": deals}))
    while not state.is_terminal():
        seat, actions = state.current_player(), state.legal_actions()
        yield state.kind(), state.observation(seat), [state.encode(a) for a in actions]
        state.apply(chance.choice(actions))


def body_of(kind, state):
    make = bridge.bid_body if kind == "call" else bridge.play_body
    return make(state, IDS, 1000)


@settings(max_examples=25)
@given(st.integers(0, 10**6))
def test_a_request_through_the_bridge_and_back_is_the_same(seed):
    rules = build_variant("bhoos", {"deals": 2})
    for kind, state, legal in requests(seed, "bhoos"):
        asked = read_question(kind, json.dumps(body_of(kind, state)).encode(), rules)
        assert dict(asked.state) == state
        assert list(asked.legal) == legal
        assert (asked.budget_ms, asked.players) == (1000, tuple(IDS))


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.sampled_from(["bhoos", "master", "classic"]))
def test_hands_are_sorted_by_spades_hearts_clubs_diamonds_and_high_to_low(seed, variant):
    for kind, state, _ in requests(seed, variant):
        cards = body_of(kind, state)["cards"]
        assert cards == sorted(cards, key=THEIR_ORDER.index)
        assert len(cards) == len(state["hand"])


def test_every_card_has_one_name_there_and_an_ace_is_a_one():
    theirs = [their_name(card) for card in DECK]
    assert sorted(theirs) == sorted(THEIR_ORDER)
    assert [our_name(name) for name in theirs] == list(NAMES)
    assert [bridge.our_card(name) for name in theirs] == list(NAMES)
    assert bridge.their_cards(list(NAMES)) == theirs


@pytest.mark.parametrize("name", ["AS", "1X", "10S", "", "1s", "S1"])
def test_what_is_no_card_there_is_none_here(name):
    with pytest.raises(ValueError, match="not a card"):
        our_name(name)


def test_the_history_is_starter_cards_in_playing_order_and_winner():
    *_, (_, state, _) = itertools.takewhile(
        lambda r: r[0] == "call" or len(r[1]["tricks"]) < 3, requests(1, "bhoos")
    )
    body = body_of("play", state)
    for told, trick in zip(body["history"], state["tricks"], strict=True):
        assert told == [trick["leader"], bridge.their_cards(trick["cards"]), trick["winner"]]
    players = body["context"]["players"]
    assert [p["won"] for p in players.values()] == state["won"]
    assert [p["bid"] for p in players.values()] == state["calls"]


def test_a_bid_that_was_not_made_yet_is_zero():
    kind, state, _ = next(iter(requests(1, "bhoos")))
    players = body_of(kind, state)["context"]["players"]
    assert [player["bid"] for player in players.values()] == [0, 0, 0, 0]


def test_players_of_one_name_get_ids_of_their_own():
    assert bridge.distinct(["a", "b", "a", "c"]) == ["a #0", "b", "a #2", "c"]


@pytest.mark.parametrize(
    ("value", "clamp", "call", "note"),
    [
        (1, True, 2, "clamp_call: 1 raised to 2"),
        (1, False, 1, ""),
        (0, True, 0, ""),
        (-3, True, -3, ""),
        (13, True, 13, ""),
        (3.0, False, 3, ""),
        (1.0, True, 2, "clamp_call: 1 raised to 2"),
        (3.5, True, 3.5, ""),
        ("3", True, "3", ""),
        (True, True, True, ""),
        (None, True, None, ""),
    ],
)
def test_only_a_call_from_one_upwards_is_raised_and_only_to_the_least(value, clamp, call, note):
    found = bridge.our_call(value, [2, 3, 4], clamp)
    assert found == (call, note)
    assert type(found[0]) is type(call)


class Recorder:
    """Stands for the connection: remembers what was asked."""

    def __init__(self, value):
        self.value = value
        self.bodies = []

    def ask(self, method, path, body):
        self.bodies.append((path, json.loads(body)))
        return 200, json.dumps({"value": self.value}).encode()


def act(kind, state, legal, *, move_ms=1000, match_ms=60_000):
    clock = {"move_ms": move_ms, "match_ms": match_ms}
    return {"id": 5, "kind": kind, "clock": clock, "state": state, "legal": legal}


@pytest.mark.parametrize(
    ("clock", "settings", "budget_ms"),
    [
        ({"move_ms": 1000, "match_ms": 60_000}, {}, 1000),
        ({"move_ms": 1000, "match_ms": 1_000}, {}, 500),
        ({"move_ms": 9000, "match_ms": 10_000}, {}, 5000),
        ({"move_ms": 9000, "match_ms": 10_000}, {"deal_ms": 1500}, 1500),
        ({"move_ms": 1000, "match_ms": 0}, {}, 0),
    ],
)
def test_the_time_budget_is_never_more_than_the_answer_may_take(clock, settings, budget_ms):
    kind, state, legal = next(iter(requests(1, "bhoos")))
    recorder = Recorder(3)
    talk = bridge.Bridge(recorder, settings)
    talk.start(IDS)
    assert talk.decide(act(kind, state, legal, **clock)) == {"id": 5, "action": 3}
    assert recorder.bodies[0][0] == "/bid"
    assert recorder.bodies[0][1]["timeBudget"] == budget_ms


def test_nobody_is_asked_for_the_last_card():
    recorder = Recorder("nonsense")
    talk = bridge.Bridge(recorder, {})
    talk.start(IDS)
    last = [r for r in requests(2, "bhoos", deals=1) if len(r[1]["hand"]) == 1]
    assert len(last) == 4
    for kind, state, legal in last:
        assert talk.decide(act(kind, state, legal)) == {"id": 5, "action": legal[0]}
    assert recorder.bodies == []
