"""A record that keeps the rules replays; one with a changed fact is refused, and told where."""

import copy
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.api import Replayed
from arena.games.callbreak.cards import NAMES
from arena.games.callbreak.game import Callbreak
from arena.records import points_from_tenths, ranks_of

GAME = Callbreak()
VARIANTS = sorted(GAME.variants())


def record_of(seed, variant, rng, retired=()):
    """A record in the contract's JSON form, of a match played at random.

    The bots of `retired` seats leave at the first trick: the fallback plays for them.
    """
    state = GAME.new_match(seed, variant)
    while not state.is_terminal():
        place = state.position()
        out_now = state.current_player() in retired and (place.deal, place.trick or 0) >= (1, 1)
        state.apply(state.fallback() if out_now else rng.choice(state.legal_actions()))
    out = tuple(seat in retired for seat in range(4))
    return json.loads(
        json.dumps(
            {
                "record": 1,
                "match": "m",
                "set": "s",
                "game": "callbreak",
                "variant": variant,
                "seed": seed,
                "started": "2026-01-01T00:00:00Z",
                "seats": [{"bot": "b", "version": "1", "digest": ""}] * 4,
                "deals": state.record(),
                "scores": [points_from_tenths(score) for score in state.returns()],
                "ranks": ranks_of(state.returns(), out),
                "faults": [{"seat": s, "kind": "timeout", "deal": 1, "trick": 1} for s in retired],
                "timing": [],
                "notes": [],
            }
        )
    )


def some_record(variant="master", seed="7"):
    return record_of(seed, GAME.variant(variant), random.Random(seed))


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_record_and_the_rules_replay_to_the_same_record(variant):
    for seed in range(20):
        record = record_of(str(seed), GAME.variant(variant), random.Random(seed))
        assert GAME.replay(record) == Replayed()


def test_a_retired_bot_ranks_below_the_others():
    rng = random.Random(1)
    for seed in range(20):
        record = record_of(str(seed), GAME.variant("master"), rng, retired=[seed % 4])
        assert GAME.replay(record) == Replayed()
        assert record["ranks"][seed % 4] == 4


def test_a_forgiven_fault_costs_no_rank():
    record = some_record()
    record["faults"] = [{"seat": seat, "kind": "timeout", "retired": False} for seat in range(2)]
    assert GAME.replay(record) == Replayed()
    best = record["scores"].index(max(record["scores"]))
    record["faults"] = [{"seat": best, "kind": "timeout"}]
    assert GAME.replay(record).error.startswith("ranks should be")


def change_card(record, deal, trick, rng):
    cards = record["deals"][deal - 1]["tricks"][trick - 1]["cards"]
    place = rng.randrange(4)
    cards[place] = rng.choice([name for name in NAMES if name != cards[place]])


def change_winner(record, deal, trick, rng):
    entry = record["deals"][deal - 1]["tricks"][trick - 1]
    entry["winner"] = (entry["winner"] + rng.randint(1, 3)) % 4


def change_leader(record, deal, trick, rng):
    entry = record["deals"][deal - 1]["tricks"][trick - 1]
    entry["leader"] = (entry["leader"] + rng.randint(1, 3)) % 4


def change_call(record, deal, trick, rng):
    calls = record["deals"][deal - 1]["calls"]
    seat = rng.randrange(4)
    # A call that fails costs itself, so another call that fails is always seen in the points.
    other = [call for call in range(1, 14) if call != calls[seat]]
    calls[seat] = rng.choice(other)


def change_dealer(record, deal, trick, rng):
    entry = record["deals"][deal - 1]
    entry["dealer"] = (entry["dealer"] + rng.randint(1, 3)) % 4


def change_list(key):
    def change(record, deal, trick, rng):
        values = record["deals"][deal - 1][key]
        values[rng.randrange(4)] += rng.choice([-1, 1])

    return change


def change_hands(record, deal, trick, rng):
    hands = record["deals"][deal - 1]["hands"]
    place = rng.randrange(13)
    hands[0][place], hands[1][place] = hands[1][place], hands[0][place]


IN_A_TRICK = {"card": change_card, "winner": change_winner, "leader": change_leader}
IN_A_DEAL = {
    "call": change_call,
    "dealer": change_dealer,
    "won": change_list("won"),
    "points": change_list("points"),
    "running scores": change_list("scores"),
    "hands": change_hands,
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("what", [*IN_A_TRICK, *IN_A_DEAL])
def test_one_changed_fact_is_refused_naming_deal_and_trick(variant, what):
    rng = random.Random(what)
    original = some_record(variant)
    for _ in range(60):
        record = copy.deepcopy(original)
        deal, trick = rng.randint(1, record["variant"]["deals"]), rng.randint(1, 13)
        (IN_A_TRICK | IN_A_DEAL)[what](record, deal, trick, rng)
        found = GAME.replay(record)
        if what == "call" and _same_points(original, record, deal):
            continue
        assert found.error
        assert found.deal == deal
        if what in ("winner", "leader"):
            assert found.trick == trick
        elif what == "card":
            # A card that its player held is missed only when it should be played a second time.
            assert found.trick is not None
            assert found.trick >= trick


def _same_points(original, record, deal):
    """Whether two calls earn the same: a bonus is the same for every call that reaches it."""
    pair = (original["deals"][deal - 1], record["deals"][deal - 1])
    before, after = ([(c, w) for c, w in zip(d["calls"], d["won"], strict=True)] for d in pair)
    bonus = record["variant"]["bonus_call"]
    return all(
        a == b or (bonus is not None and min(a[0], b[0]) >= bonus and max(a[0], b[0]) <= a[1])
        for a, b in zip(before, after, strict=True)
    )


@pytest.mark.parametrize("key", ["scores", "ranks"])
def test_a_changed_final_list_is_refused_outside_any_deal(key):
    record = some_record()
    record[key][2] += 1
    found = GAME.replay(record)
    assert found.error.startswith(f"{key} should be")
    assert (found.deal, found.trick) == (None, None)


def test_a_deal_left_out_or_put_in_is_refused():
    for deals in (3, 5):
        record = some_record()
        record["deals"] = (record["deals"] * 2)[:deals]
        assert GAME.replay(record).error == f"the number of deals should be 4, recorded is {deals}"


def test_another_seed_is_refused():
    record = some_record()
    record["seed"] = "8"
    assert GAME.replay(record).deal == 1


def test_a_preset_with_other_parameters_is_refused():
    record = some_record()
    record["variant"]["must_head"] = True
    assert "must_head of the preset 'master' is false" in GAME.replay(record).error


@pytest.mark.parametrize("seed", [None, "", "absent"])
def test_a_record_without_a_seed_is_taken_as_dealt(seed):
    record = some_record()
    record["seed"] = seed
    if seed == "absent":
        del record["seed"]
    assert GAME.replay(record) == Replayed()
    record["deals"][2]["hands"][0][0] = record["deals"][2]["hands"][1][0]
    assert GAME.replay(record).deal == 3
    assert "twice" in GAME.replay(record).error


def test_without_a_seed_the_deal_still_passes_to_the_right():
    record = some_record()
    record["seed"] = None
    record["deals"][1], record["deals"][3] = record["deals"][3], record["deals"][1]
    record["deals"][1]["deal"], record["deals"][3]["deal"] = 2, 4
    found = GAME.replay(record)
    assert found.deal == 2
    assert "the dealer" in found.error


def test_without_a_seed_hands_that_had_to_be_dealt_again_are_refused():
    variant = GAME.variant("strict", {"base": "master", "deals": 24})
    record = record_of("7", variant, random.Random(0))
    record["seed"] = None
    assert GAME.replay(record) == Replayed()
    record["variant"]["redeal"] = "no-spade"
    assert GAME.replay(record).deal == 18


def test_a_whole_score_written_as_a_fraction_is_refused():
    record = some_record()
    record["scores"] = [float(score) for score in record["scores"]]
    assert GAME.replay(record).error.startswith("scores should be")


# Hostile shapes ---------------------------------------------------------------------------------

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from([10**9, 10**4000, "\ud800", "x" * 10_000, [[]] * 4, [None] * 13, {}]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)


def paths(value, path=()):
    """The path of every value inside a JSON value."""
    if path:
        yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from paths(value[key], (*path, key))


RECORD = some_record()
PATHS = list(paths(RECORD))
UNCHECKED = {"match", "set", "started", "seats", "timing", "notes"}


@given(st.sampled_from(PATHS), JSON_VALUES | st.just("remove"))
@settings(max_examples=400, deadline=None)
def test_a_hostile_value_anywhere_gives_an_error_never_an_exception(path, value):
    record = copy.deepcopy(RECORD)
    inside = record
    for key in path[:-1]:
        inside = inside[key]
    before = inside[path[-1]]
    if value == "remove":
        del inside[path[-1]]
    else:
        inside[path[-1]] = value
    found = GAME.replay(record)
    assert isinstance(found, Replayed)
    may_change = path[0] in UNCHECKED or path in (("record",), ("seed",), ("variant", "version"))
    if not may_change and (type(value), value) != (type(before), before) and path != ("faults",):
        assert found.error
        assert len(found.error) < 300
        assert "\n" not in found.error


@given(JSON_VALUES)
def test_what_is_no_record_gives_an_error(value):
    assert GAME.replay(value).error


@pytest.mark.parametrize(
    ("key", "value", "error"),
    [
        ("deals", 10**9, "deals is 1000000000"),
        ("min_call", 0, "min_call is 0"),
        ("name", 5, "not a string"),
        ("name", "x" * 10**6, "this is no name for a variant"),
        pytest.param("void_duty", 10**5000, "void_duty is a number of very many digits", id="huge"),
        ("nonsense", 1, "there is no parameter 'nonsense'"),
    ],
)
def test_a_hostile_variant_is_refused_before_anything_is_dealt(key, value, error):
    record = some_record()
    record["variant"][key] = value
    assert error in GAME.replay(record).error
