"""The bundled bots keep the protocol and the rules, and play a match again from its seed.

Each bot is a real process that talks over bare pipes with the conductor of conftest.py.
"""

import json
from contextlib import ExitStack

import pytest

from arena.bots.bundled import bundled_bots, bundled_names, bundled_sdk
from arena.bots.resolve import resolve

NAMES = bundled_names(bundled_bots())
COMPILED = {name for name in NAMES if resolve(name, bundled_bots()).build}

each_bot = pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] if n in COMPILED else []) for n in NAMES]
)


def roundabout(message):
    """The same message in other bytes: spaces, keys turned round, fields nobody knows."""
    turned = {"later": [{"id": {"}": "]"}}, 'q"\\'], **dict(reversed(message.items()))}
    return " " + json.dumps(turned, separators=(" , ", " : ")) + " \r"


def test_there_are_nine_bots_in_eight_languages():
    bots = [resolve(name, bundled_bots()) for name in NAMES]
    assert len(bots) >= 9
    assert len({bot.language for bot in bots}) >= 8


@pytest.mark.parametrize("name", NAMES)
def test_a_bundled_bot_is_described_and_named_as_its_folder(name):
    bot = resolve(name, bundled_bots())
    assert bot.name == name
    assert bot.description
    assert bot.language
    assert (bot.folder / "README.md").read_text().startswith(f"# {name}\n")


@pytest.mark.parametrize("sdk", sorted(p for p in bundled_sdk().glob("*/*") if p.is_file()))
def test_every_copy_of_an_sdk_file_is_the_file_in_the_sdk(sdk):
    for copy in bundled_bots().glob(f"*/{sdk.name}"):
        assert copy.read_bytes() == sdk.read_bytes(), f"cp {sdk} {copy}"


def test_every_sdk_but_the_types_is_used_by_a_bundled_bot():
    unused = {
        sdk.parent.name
        for sdk in bundled_sdk().glob("*/callbreak*")
        if not list(bundled_bots().glob(f"*/{sdk.name}"))
    }
    assert unused <= {"typescript"}


@each_bot
def test_every_answer_is_legal_under_every_variant(name, bundled, talk, alone, variants):
    bot = bundled(name)
    for variant in variants.values():
        with talk(bot) as it:
            it.hello(variant)
            for number in range(2):
                alone(it, variant, str(number), seat=number, bot_seed=number)
            assert it.quit() == 0
    # Legality, one line an answer and no other output are asserted with every answer.


@each_bot
def test_a_match_is_played_again_from_its_seed_whatever_came_before(
    name, bundled, talk, alone, variants
):
    bot, variant = bundled(name), variants["master"]
    with talk(bot) as fresh, talk(bot) as used:
        fresh.hello(variant)
        used.hello(variant)
        alone(used, variant, "another", seat=2, bot_seed=99)
        first = alone(fresh, variant, "seed", seat=1, bot_seed=2**53 - 1)
        assert alone(used, variant, "seed", seat=1, bot_seed=2**53 - 1) == first


@each_bot
def test_the_spelling_of_the_json_changes_nothing(name, bundled, talk, alone, variants):
    bot, variant = bundled(name), variants["master"]
    with talk(bot) as plain, talk(bot, roundabout) as odd:
        plain.hello(variant)
        odd.hello(variant)
        seat = {"seat": 3, "bot_seed": 5}
        assert alone(odd, variant, "x", **seat) == alone(plain, variant, "x", **seat)


@each_bot
def test_a_bot_leaves_when_its_input_ends(name, bundled, talk, variants):
    with talk(bundled(name)) as it:
        it.hello(variants["master"])
        it.process.stdin.close()
        assert it.process.wait(30) == 0


def test_random_plays_another_match_from_another_seed(bundled, talk, alone, variants):
    with talk(bundled("random")) as it:
        it.hello(variants["master"])
        games = [alone(it, variants["master"], "x", seat=0, bot_seed=seed) for seed in (1, 2)]
    assert games[0] != games[1]


def test_random_calls_two_to_four_equally_often(bundled, talk, alone, variants):
    with talk(bundled("random")) as it:
        it.hello(variants["master"])
        for seed in range(30):
            alone(it, variants["master"], str(seed), seat=0, bot_seed=seed)
        calls = [action for kind, _, action in it.actions if kind == "call"]
    assert set(calls) == {2, 3, 4}
    assert all(abs(calls.count(call) - 40) <= 24 for call in (2, 3, 4))  # over 4 sigma


@pytest.mark.slow
@pytest.mark.parametrize("name", ["counting", "boss", "sampling"])
@pytest.mark.parametrize("rules", ["master", "bhoos"])
def test_a_sensible_bot_beats_three_at_random(name, rules, bundled, talk, match, variants):
    variant = variants[rules]
    bots = [bundled(n) for n in (name, "random", "random", "random")]
    with ExitStack() as stack:
        table = [stack.enter_context(talk(bot)) for bot in bots]
        for bot in table:
            bot.hello(variant)
        totals = [match(table, variant, str(n), n) for n in range(12)]
    sums = [sum(seat) for seat in zip(*totals, strict=True)]
    assert sums[0] > max(sums[1:])
