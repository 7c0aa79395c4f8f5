"""The rules give the worked cases: legality, winners and scores, each written out by hand."""

import json
from pathlib import Path

import pytest

from arena.games.callbreak.cards import names_of, parse_card, parse_hand
from arena.games.callbreak.scoring import tenths_of
from arena.games.callbreak.trick import legal_cards, winner_of
from arena.games.callbreak.variants import MASTER, build_variant

CASES = json.loads((Path(__file__).parent / "cases" / "rules.json").read_text())


def named(cases):
    return [pytest.param(case, id=case["name"]) for case in cases]


@pytest.mark.parametrize("case", named(CASES["legal"]))
def test_exactly_these_cards_are_legal(case):
    hand = parse_hand(case["hand"])
    trick = [parse_card(name) for name in case["trick"]]
    for variant, legal in case["legal"].items():
        found = names_of(legal_cards(hand, trick, build_variant(variant)))
        assert found == legal, f"{variant}: {case['why']}"


@pytest.mark.parametrize("case", named(CASES["tricks"]))
def test_this_seat_wins_the_trick(case):
    cards = [parse_card(name) for name in case["cards"]]
    assert winner_of(case["leader"], cards) == case["winner"]


def test_a_call_and_the_tricks_won_earn_these_points():
    found = [(c["call"], c["won"], tenths_of(c["call"], c["won"], MASTER)) for c in CASES["scores"]]
    assert found == [(c["call"], c["won"], 10 * c["points"]) for c in CASES["scores"]]


@pytest.mark.parametrize(
    ("variant", "call", "won", "tenths"),
    [
        ("bhoos", 3, 2, -30),
        ("bhoos", 3, 3, 30),
        ("bhoos", 3, 5, 32),
        ("bhoos", 1, 13, 22),
        ("bhoos", 8, 9, 81),
        ("classic", 7, 9, 72),
        ("classic", 8, 7, -80),
        ("classic", 8, 8, 130),
        ("classic", 8, 13, 130),
        ("classic", 13, 13, 130),
    ],
)
def test_overtricks_count_a_tenth_each_and_the_bonus_is_flat(variant, call, won, tenths):
    assert tenths_of(call, won, build_variant(variant)) == tenths
