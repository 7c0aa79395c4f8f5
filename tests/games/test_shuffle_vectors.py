"""The test vectors are what the engine gives, and another language gives the same."""

import json
import shutil
import subprocess
from collections import Counter

import pytest

from arena.errors import ConfigError
from arena.games.callbreak.shuffle import deals_from, first_dealer, shuffled
from arena.games.callbreak.variants import build_variant
from tests.golden.vectors import FILES, as_text
from tests.golden.vectors import FOLDER as VECTORS

MATCHES = json.loads((VECTORS / "shuffle.json").read_text(encoding="utf-8"))["matches"]
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed: JavaScript shuffle")


@pytest.mark.parametrize("name", FILES)
def test_the_vectors_are_not_stale(name):
    found = (VECTORS / name).read_text(encoding="utf-8")
    assert found == as_text(FILES[name]()), "run: python tests/golden/vectors.py"


def deals_by_node(seed, count, redeal):
    argv = [NODE, str(VECTORS / "shuffle.mjs"), seed, str(count), redeal]
    out = subprocess.run(argv, check=True, capture_output=True, text=True, timeout=60).stdout
    return [json.loads(line) for line in out.splitlines()]


@needs_node
@pytest.mark.parametrize("match", MATCHES, ids=lambda m: f"{m['seed'][:12]}-{m['redeal']}")
def test_javascript_reproduces_the_vectors(match):
    deals = deals_by_node(match["seed"], len(match["deals"]), match["redeal"])
    assert deals == match["deals"]


@needs_node
@pytest.mark.parametrize("redeal", ["none", "no-spade", "no-face-card"])
def test_javascript_and_python_deal_the_same_in_a_long_match(redeal):
    seed = f"long match, {redeal}"
    dealt = deals_from(seed, build_variant("long", {"deals": 500, "redeal": redeal}))
    for deal, other in zip(dealt, deals_by_node(seed, 500, redeal), strict=True):
        cards = "SHDC".index, "AKQJT98765432".index
        hands = [sorted(13 * cards[0](c[1]) + cards[1](c[0]) for c in h) for h in other["hands"]]
        assert (deal.dealer, [list(hand) for hand in deal.hands]) == (other["dealer"], hands)


@pytest.mark.parametrize("redeal", ["no-spade", "no-face-card"])
def test_no_hand_that_a_rule_throws_in_is_dealt(redeal):
    lacking = {"no-spade": lambda c: c < 13, "no-face-card": lambda c: c % 13 in (1, 2, 3)}
    dealt = deals_from("redeal", build_variant("again", {"deals": 500, "redeal": redeal}))
    assert all(any(map(lacking[redeal], hand)) for deal in dealt for hand in deal.hands)


def test_a_redeal_leaves_the_deals_of_which_no_hand_is_thrown_in():
    kept = [
        a == b
        for a, b in zip(
            deals_from("7", build_variant("plain", {"base": "master", "deals": 400})),
            deals_from("7", build_variant("again", {"deals": 400, "redeal": "no-spade"})),
            strict=True,
        )
    ]
    assert 0.9 < sum(kept) / len(kept) < 1.0


def test_every_card_is_equally_likely_in_every_place():
    rounds = 4_000
    counts = Counter(
        (place, card)
        for number in range(1, rounds + 1)
        for place, card in enumerate(shuffled("uniform", number))
    )
    expected = rounds / 52
    squares = sum(
        (counts[place, card] - expected) ** 2 for place in range(52) for card in range(52)
    )
    chi_square = squares / expected * 51 / 52  # each shuffle fills every place and uses every card
    # 51 x 51 degrees of freedom: mean 2601, standard deviation 72. The seed is fixed.
    assert abs(chi_square - 2601) < 4 * 72


def test_every_seat_is_as_likely_to_deal_first():
    counts = Counter(first_dealer(str(seed)) for seed in range(4_000))
    assert all(abs(counts[seat] - 1_000) < 4 * 27.4 for seat in range(4))


def test_a_seed_that_is_no_unicode_is_refused():
    with pytest.raises(ConfigError, match="seed"):
        deals_from("\ud800", build_variant("master"))
