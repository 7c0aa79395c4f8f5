"""Variants are checked data: what is wrong is named, with what is allowed and how to mend it."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import ConfigError
from arena.games.callbreak.game import Callbreak
from arena.games.callbreak.variants import PARAMETERS, PRESETS, build_variant

GAME = Callbreak()


def test_master_is_the_default_and_has_the_rules_of_the_contract():
    assert list(GAME.variants()) == ["master", "bhoos", "classic"]
    assert GAME.variants()["master"] == {
        "name": "master",
        "version": 1,
        "deals": 4,
        "min_call": 2,
        "max_call": 12,
        "overtricks_allowed": 1,
        "overtrick_tenths": 0,
        "bonus_call": 8,
        "bonus_points": 13,
        "must_head": False,
        "void_duty": "overruff",
        "redeal": "none",
    }


def test_the_other_presets_differ_from_each_other_as_the_contract_says():
    bhoos, classic = GAME.variant("bhoos"), GAME.variant("classic")
    differ = {key: classic[key] for key in bhoos if bhoos[key] != classic[key]}
    assert differ == {"name": "classic", "max_call": 13, "bonus_call": 8, "bonus_points": 13}
    assert (bhoos["min_call"], bhoos["max_call"], bhoos["deals"]) == (1, 8, 5)
    assert (bhoos["overtricks_allowed"], bhoos["overtrick_tenths"]) == (None, 1)
    assert (bhoos["must_head"], bhoos["bonus_call"]) == (True, None)


@pytest.mark.parametrize("name", PRESETS)
def test_a_complete_set_comes_back_unchanged_and_survives_json(name):
    variant = GAME.variant(name)
    again = json.loads(json.dumps(variant))
    assert GAME.variant(name, again) == variant
    assert set(variant) == {"name", *PARAMETERS}


def test_a_preset_may_have_another_number_of_deals():
    assert GAME.variant("master", {"deals": 200})["deals"] == 200
    assert GAME.deals_of(GAME.variant("bhoos", {"deals": 3})) == 3


def test_changed_rules_start_from_a_base_under_their_own_name():
    house = GAME.variant("house", {"base": "bhoos", "max_call": 10})
    assert house == GAME.variant("bhoos") | {"name": "house", "max_call": 10}
    assert GAME.variant("low", {"max_call": 9})["void_duty"] == "overruff"


def test_the_words_for_nothing_can_be_written_in_toml():
    words = {"overtricks_allowed": "any", "bonus_call": "none"}
    variant = GAME.variant("house", words)
    assert (variant["overtricks_allowed"], variant["bonus_call"]) == (None, None)


@pytest.mark.parametrize(
    ("name", "parameters", "says"),
    [
        ("mastre", None, "there is no variant 'mastre' (did you mean 'master'?)"),
        ("xyz", {}, "there is no variant 'xyz' (known: master, bhoos, classic)"),
        ("bhos", {"deals": 5}, "there is no variant 'bhos' (did you mean 'bhoos'?"),
        ("bhos", {"max_call": 9}, "there is no variant 'bhos' (did you mean 'bhoos'?"),
        ("own", {"deals": 5}, 'say which preset they start from, as base = "master"'),
        ("House", {"deals": 2}, "variant 'House': this is no name for a variant"),
        ("house", {"base": "mine"}, "base is 'mine', which is no preset (presets: master"),
        ("master", {"base": "bhoos"}, "a preset cannot start from base 'bhoos'"),
        ("house", {"mincall": 2}, "there is no parameter 'mincall' (did you mean 'min_call'?)"),
        ("house", {"name": "home"}, "the name does not agree"),
        ("master", {"min_call": 1}, "min_call of the preset 'master' is 2 (give the changed rules"),
        ("house", {"min_call": 0}, "min_call is 0 (it must be a whole number from 1 to 13)"),
        ("house", {"max_call": 14}, "max_call is 14 (it must be a whole number from 1 to 13)"),
        ("house", {"max_call": 3.0}, "max_call is 3.0"),
        ("house", {"deals": True}, "deals is True"),
        ("house", {"deals": 0}, "deals is 0 (it must be a whole number from 1 to 10000)"),
        ("house", {"overtricks_allowed": "all"}, 'a whole number from 0 to 12 or "any"'),
        ("house", {"bonus_points": None}, "bonus_points is None (it must be a whole number"),
        ("house", {"must_head": 1}, "must_head is 1 (it must be true or false)"),
        ("house", {"void_duty": "over"}, 'it must be one of "overruff", "ruff", "free"'),
        ("house", {"redeal": []}, "redeal is a list (it must be one of"),
        ("house", {"version": 2}, "version is 2"),
        ("house", {"min_call": 9, "max_call": 8}, "min_call 9 is greater than max_call 8"),
        ("house", {"max_call": 7}, "bonus_call 8 is not between min_call 2 and max_call 7"),
        ("house", {"bonus_call": 1}, "bonus_call 1 is not between min_call 2 and max_call 12"),
        ("house", {"bonus_points": 0}, "bonus_points is 0 though there is a bonus_call"),
    ],
)
def test_what_is_wrong_is_named_with_its_mending(name, parameters, says):
    with pytest.raises(ConfigError) as caught:
        build_variant(name, parameters)
    assert says in str(caught.value)
    assert caught.value.mend or "name" in str(caught.value)


VALUES = {
    "deals": st.integers(1, 2),
    "min_call": st.integers(1, 13),
    "max_call": st.integers(1, 13),
    "overtricks_allowed": st.none() | st.integers(0, 12),
    "overtrick_tenths": st.integers(0, 10),
    "bonus_call": st.none() | st.integers(1, 13),
    "bonus_points": st.integers(0, 100),
    "must_head": st.booleans(),
    "void_duty": st.sampled_from(["overruff", "ruff", "free"]),
    "redeal": st.sampled_from(["none", "no-spade", "no-face-card"]),
}


@given(st.fixed_dictionaries(VALUES), st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_every_parameter_set_is_refused_or_can_be_played_out(parameters, chance):
    try:
        variant = GAME.variant("some", parameters)
    except ConfigError:
        bonus = parameters["bonus_call"]
        low, high = parameters["min_call"], parameters["max_call"]
        in_range = bonus is None or (low <= bonus <= high and parameters["bonus_points"] > 0)
        assert low > high or not in_range
        return
    state, rng = GAME.new_match("x", variant), random.Random(chance)
    while not state.is_terminal():
        state.apply(rng.choice(state.legal_actions()))
    for deal in state.record():
        assert sum(deal["won"]) == 13
        for call, won, points in zip(deal["calls"], deal["won"], deal["points"], strict=True):
            assert points == -call or (points > 0 and won >= call)
    assert f"variant {variant['name']}" in GAME.rules_text(variant)


def test_the_rules_text_says_what_the_parameters_say():
    master, bhoos = (GAME.rules_text(GAME.variant(name)) for name in ("master", "bhoos"))
    assert "from 2 to 12" in master
    assert "exactly c or c + 1 tricks: +c; otherwise -c. A call of 8 or more earns 13" in master
    assert "may play any card of the led suit" in master
    assert "c tricks or more: +c, and 0.1 more for each trick above c; otherwise -c." in bhoos
    assert "beats the best card of the led suit" in bhoos
    assert "5 deals" in bhoos
