"""The scripted deals bring a bot into every corner of the game, whatever it does there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.callbreak.game import Callbreak
from arena.games.callbreak.shuffle import must_redeal
from arena.games.callbreak.variants import Redeal
from arena.inspect import scenes
from arena.inspect.corners import corners_of
from arena.inspect.scenes import CORNERS, FURTHER, SEATS, Scene
from arena.inspect.script import Script, ScriptedCallbreak, program_for

GAME = Callbreak()
ALL_SCENES = (*CORNERS, *FURTHER)
VARIANTS = {
    **GAME.variants(),
    "may-ruff-low": GAME.variant("may-ruff-low", {"void_duty": "ruff"}),
    "free": GAME.variant("free", {"void_duty": "free"}),
    "no-spade": GAME.variant("no-spade", {"redeal": "no-spade"}),
    "six-deals": GAME.variant("six-deals", {"base": "master", "deals": 6}),
}


def requests(script: Script, variant: Mapping[str, Any], chance: Random) -> Iterator[Any]:
    """Every request that a bot is sent which does anything that is legal."""
    state = script.game.new_match(script.seed, variant)
    number = 0
    while not state.is_terminal():
        seat, number = state.current_player(), number + 1
        legal = [state.encode(action) for action in state.legal_actions()]
        request = {
            "id": number, "kind": state.kind(), "state": state.observation(seat), "legal": legal
        }  # fmt: skip
        if seat == script.seat:
            yield request
        wire = chance.choice(legal) if seat == script.seat else script.answer(request)
        action = state.decode(wire)
        assert action is not None
        state.apply(action)


@pytest.mark.parametrize("name", VARIANTS)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers())
def test_every_corner_is_reached_whatever_the_bot_does(name: str, seed: int) -> None:
    variant, chance = VARIANTS[name], Random(seed)
    program = program_for(GAME, variant)
    reached = {
        corner
        for script in (program.main, program.before)
        for request in requests(script, variant, chance)
        for corner in program.reached(request)
    }
    assert reached == set(program.corners)


@pytest.mark.parametrize(
    ("scene", "corner"),
    [
        (scenes.OVERRUFF, "overruff"),
        (scenes.UNDERRUFF, "under-ruff"),
        (scenes.RUFF, "forced ruff"),
        (scenes.LEAD, "lead any card"),
        (scenes.ONE_CARD, "one legal card"),
        (scenes.HEAD, "may play low"),
    ],
)
def test_a_scene_reaches_its_corner_in_the_first_trick(scene: Scene, corner: str) -> None:
    variant = GAME.variant("master", {"deals": 1})
    game = ScriptedCallbreak((scene,), 1)
    _call, first, *_ = requests(Script("scene", game, 1, game.answer), variant, Random(0))
    assert not first["state"]["tricks"]
    assert corner in corners_of(first, variant)


@pytest.mark.parametrize("scene", ALL_SCENES)
@pytest.mark.parametrize("seat", range(SEATS))
def test_a_scene_deals_every_card_once_and_no_rule_throws_it_in(scene: Scene, seat: int) -> None:
    dealt = scene.dealt(seat)
    assert sorted(card for hand in dealt.hands for card in hand) == list(range(52))
    assert {len(hand) for hand in dealt.hands} == {13}
    assert list(dealt.hands) == [tuple(sorted(hand)) for hand in dealt.hands]
    assert not any(must_redeal(dealt.hands, rule) for rule in Redeal)


def test_the_deal_passes_from_scene_to_scene_as_in_a_match() -> None:
    for row in (CORNERS, FURTHER):
        assert [scene.dealer for scene in row] == list(range(len(row)))


def test_no_process_is_shown_a_deal_twice() -> None:
    program = program_for(GAME, GAME.variant("classic"))
    hands = [
        (deal.dealer, deal.hands)
        for script in (program.before, program.main)
        for deal in script.game.new_match(script.seed, GAME.variant("classic"))._dealt  # type: ignore[attr-defined]
    ]
    assert len(hands) == len(set(hands)) == 10
