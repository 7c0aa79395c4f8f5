"""Laws of a Callbreak match that hold whatever is played."""

import json
import random
from collections import Counter

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.api import TERMINAL, Position, State
from arena.games.callbreak.cards import DECK, NAMES, names_of
from arena.games.callbreak.game import Callbreak
from arena.games.callbreak.shuffle import Dealt, deals_from
from arena.games.callbreak.state import CallbreakState
from arena.games.callbreak.variants import PRESETS, build_variant

GAME = Callbreak()
VARIANTS = st.sampled_from(sorted(PRESETS))
CHANCE = st.randoms(use_true_random=False)


def positions(variant, rng, deals=2):
    """Every position of a match played at random; the same object, changed in place."""
    state = GAME.new_match(str(rng.random()), GAME.variant(variant, {"deals": deals}))
    while not state.is_terminal():
        yield state
        state.apply(rng.choice(state.legal_actions()))
    yield state


def cards_in_view(state):
    """All cards of the deal under way, wherever they lie."""
    hands = [state.observation(seat)["hand"] for seat in range(4)]
    known = state.observation(0)
    tricks = [*known.get("tricks", []), known.get("trick", {"cards": []})]
    return [card for cards in (*hands, *(trick["cards"] for trick in tricks)) for card in cards]


@given(VARIANTS, CHANCE)
@settings(max_examples=15, deadline=None)
def test_cards_are_conserved(variant, rng):
    for state in positions(variant, rng):
        assert sorted(cards_in_view(state)) == sorted(NAMES)


@given(VARIANTS, CHANCE)
@settings(max_examples=15, deadline=None)
def test_legal_actions_are_never_empty_before_the_end(variant, rng):
    for state in positions(variant, rng):
        assert bool(state.legal_actions()) != state.is_terminal()
        assert (state.current_player() == TERMINAL) == state.is_terminal()


@given(VARIANTS, CHANCE)
@settings(max_examples=15, deadline=None)
def test_hands_and_legal_cards_are_listed_in_wire_order(variant, rng):
    for state in positions(variant, rng):
        for seat in range(4):
            hand = state.observation(seat)["hand"]
            assert hand == sorted(hand, key=NAMES.index)
        assert list(state.legal_actions()) == sorted(state.legal_actions())


@given(VARIANTS, CHANCE)
@settings(max_examples=25, deadline=None)
def test_the_winner_holds_the_best_card(variant, rng):
    *_, state = positions(variant, rng)
    for deal in state.record():
        for trick in deal["tricks"]:
            best = trick["cards"][(trick["winner"] - trick["leader"]) % 4]
            led = trick["cards"][0][1]
            rivals = [c for c in trick["cards"] if c != best and c[1] in (best[1], "S")]
            assert best[1] in (led, "S")
            assert all(c[1] == best[1] and NAMES.index(c) > NAMES.index(best) for c in rivals)


@given(VARIANTS, CHANCE)
@settings(max_examples=15, deadline=None)
def test_every_trick_is_won_and_the_winner_leads_the_next(variant, rng):
    *_, state = positions(variant, rng)
    for deal in state.record():
        winners = [trick["winner"] for trick in deal["tricks"]]
        leaders = [trick["leader"] for trick in deal["tricks"]]
        assert leaders == [(deal["dealer"] + 1) % 4, *winners[:-1]]
        assert deal["won"] == [Counter(winners)[seat] for seat in range(4)]


@given(VARIANTS, CHANCE)
@settings(max_examples=15, deadline=None)
def test_the_dealers_right_calls_first_and_the_deal_passes_to_the_right(variant, rng):
    dealers = []
    for state in positions(variant, rng, deals=4):
        known = state.observation(0)
        if state.kind() == "call" and not any(known["calls"]):
            dealers.append(known["dealer"])
            assert state.current_player() == (known["dealer"] + 1) % 4
    assert dealers == [(dealers[0] + turn) % 4 for turn in range(4)]


@given(VARIANTS, CHANCE)
@settings(max_examples=10, deadline=None)
def test_an_illegal_action_is_refused_and_changes_nothing(variant, rng):
    for state in positions(variant, rng, deals=1):
        before = [state.observation(seat) for seat in range(4)]
        for action in set(range(-1, 53)).difference(state.legal_actions()):
            with pytest.raises(ValueError, match="not legal"):
                state.apply(action)
        assert [state.observation(seat) for seat in range(4)] == before


def sent_to(state, seat):
    """Every byte that a seat gets to see of a position: its state, and its actions if it acts."""
    seen = [state.observation(seat), state.kind(), state.current_player(), state.events()]
    if state.current_player() == seat:
        seen.append([state.encode(action) for action in state.legal_actions()])
    return json.dumps(seen)


def played_to(dealt, rules, actions):
    state = CallbreakState(dealt, rules)
    for action in actions:
        state.apply(action)
    return state


def with_hidden_cards_swapped(dealt, played, seat, rng):
    """The first deal of `dealt`, the unplayed cards of the other three seats dealt anew."""
    others = [s for s in range(4) if s != seat]
    kept = {s: [c for c in dealt[0].hands[s] if c in played] for s in others}
    hidden = [c for s in others for c in dealt[0].hands[s] if c not in played]
    rng.shuffle(hidden)
    hands = list(dealt[0].hands)
    for s in others:
        missing = 13 - len(kept[s])
        hands[s] = tuple(sorted(kept[s] + hidden[:missing]))
        hidden = hidden[missing:]
    return (Dealt(dealt[0].dealer, tuple(hands)), *dealt[1:])


@pytest.mark.parametrize("variant", sorted(PRESETS))
def test_hidden_cards_swapped_change_no_byte_that_a_seat_is_sent(variant):
    rng, rules, compared = random.Random(variant), build_variant(variant), 0
    while compared < 150:
        dealt = deals_from(str(rng.random()), rules)
        state, actions = CallbreakState(dealt, rules), []
        for _ in range(rng.randint(0, 4 + 51)):
            actions.append(rng.choice(state.legal_actions()))
            state.apply(actions[-1])
        seat = rng.randrange(4)
        swapped = with_hidden_cards_swapped(dealt, actions[4:], seat, rng)
        try:
            other = played_to(swapped, rules, actions)
        except ValueError:  # with those cards this play would have been against the rules
            continue
        assert sent_to(other, seat) == sent_to(state, seat)
        compared += swapped != dealt


def test_later_deals_change_no_byte_that_a_seat_is_sent():
    rules = build_variant("master")
    first = deals_from("one", rules)
    other = (first[0], *deals_from("two", rules)[1:])
    rng, state, twin = random.Random(0), CallbreakState(first, rules), CallbreakState(other, rules)
    for _ in range(4 + 51):
        assert all(sent_to(state, seat) == sent_to(twin, seat) for seat in range(4))
        action = rng.choice(state.legal_actions())
        state.apply(action)
        twin.apply(action)


def test_a_clone_plays_on_alone():
    state = GAME.new_match("7", GAME.variant("master"))
    rng = random.Random(1)
    for _ in range(4 + 20):
        state.apply(rng.choice(state.legal_actions()))
    before, twin = sent_to(state, 0), state.clone()
    while not twin.is_terminal():
        twin.apply(rng.choice(twin.legal_actions()))
    assert sent_to(state, 0) == before
    assert (len(twin.record()), len(state.record())) == (4, 0)


def test_the_fallback_is_the_lowest_call_then_the_lowest_rank_listed_last():
    state = GAME.new_match("7", GAME.variant("bhoos"))
    while state.kind() == "call":
        assert state.fallback() == 1
        state.apply(state.fallback())
    while not state.is_terminal() and state.kind() == "play":
        names = names_of(state.legal_actions())
        lowest = sorted(names, key=lambda c: ("23456789TJQKA".index(c[0]), "CDHS".index(c[1])))
        assert NAMES[state.fallback()] == lowest[0]
        state.apply(state.fallback())


def test_observations_hold_the_contracts_keys():
    state = GAME.new_match("7", GAME.variant("master"))
    calling = ["deal", "deals", "dealer", "seat", "hand", "calls", "scores"]
    assert list(state.observation(2)) == calling
    assert state.observation(2)["calls"] == [None] * 4
    for _ in range(4):
        state.apply(2)
    assert list(state.observation(2)) == [*calling, "won", "trick", "tricks"]
    assert state.observation(2)["trick"] == {"leader": state.current_player(), "cards": []}


def test_positions_count_deals_and_tricks_from_one():
    state = GAME.new_match("7", GAME.variant("master", {"deals": 2}))
    found = [state.position()]
    while not state.is_terminal():
        state.apply(state.fallback())
        if state.position() != found[-1]:
            found.append(state.position())
    wanted = [Position(deal, trick) for deal in (1, 2) for trick in (None, *range(1, 14))]
    assert found == wanted


def test_whole_scores_are_integers_outside():
    *_, state = positions("bhoos", random.Random(3), deals=5)
    scores = [score for deal in state.record() for score in deal["points"] + deal["scores"]]
    assert any(isinstance(score, float) for score in scores)
    assert all(isinstance(s, int) or not s.is_integer() for s in scores)


def test_the_deck_is_numbered_in_wire_order():
    suits = [name[1] for name in NAMES]
    assert len(DECK) == 52
    assert "".join(suits) == "S" * 13 + "H" * 13 + "D" * 13 + "C" * 13


def test_after_the_end_the_last_deal_stays_in_view():
    *_, state = positions("bhoos", random.Random(4), deals=2)
    first, last = state.record()
    known = state.observation(1)
    assert (known["deal"], known["hand"], known["tricks"]) == (2, [], last["tricks"])
    assert known["scores"] == first["scores"] != last["scores"]


@given(VARIANTS, CHANCE)
@settings(max_examples=15, deadline=None)
def test_the_fast_json_and_decode_agree_with_the_plain_way(variant, rng):
    for state in positions(variant, rng):
        for seat in range(4):
            assert state.observation_json(seat).encode() == orjson.dumps(state.observation(seat))
        wire = [state.encode(action) for action in state.legal_actions()]
        assert state.legal_json().encode() == orjson.dumps(wire)
        assert [state.decode(sent) for sent in wire] == list(state.legal_actions())
        for sent in (3.0, "3", True, None, [], "as", "XX", 51, 10**400, "AS", 5):
            assert state.decode(sent) == State.decode(state, sent)
