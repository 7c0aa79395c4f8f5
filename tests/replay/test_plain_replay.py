"""A recorded match of a game that brings no view: every moment, told plainly."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from rich.console import Console

from arena.errors import ConfigError
from arena.report.plain_replay import OVER, PlainReplay
from arena.testing.game import record_of

EXAMPLE = Path(__file__).parents[2] / "examples" / "arena-connect-four"
ACTIONS = [1, 2, 1, 2, 1, 2, 1, 3, 4, 3, 4, 3, 4, 3]
HOSTILE = "\x1b[31mred\x1b]0;title\x07"


@pytest.fixture
def game(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLE))
    from arena_connect_four import ConnectFour

    yield ConnectFour()
    sys.modules.pop("arena_connect_four")


@pytest.fixture
def record(game):
    variant = game.variant("standard")
    state = game.new_match("s", variant)
    for action in ACTIONS:
        assert state.answer(action) is not None
    names = [{"bot": "ann"}, {"bot": HOSTILE}]
    return {**record_of(game, variant, "s", state, ACTIONS), "seats": names, "match": "m"}


def text_of(shown: PlainReplay, index: int, view: int | None = None) -> str:
    console = Console(width=120, highlight=False)
    with console.capture() as captured:
        console.print(shown.draw(shown.moments[index], view))
    return captured.get()


def test_every_action_is_a_moment_and_the_end_is_one(game, record):
    shown = PlainReplay(game, record)
    assert [moment.action for moment in shown.moments] == [*ACTIONS, None]
    assert shown.moments[-1].kind == OVER
    assert [n for n in range(len(shown.moments)) if shown.begins(n) == "deal"] == [0, 7]
    assert "the match is over" in text_of(shown, len(ACTIONS))


def test_a_moment_shows_what_the_seat_was_told_what_was_legal_and_what_it_did(game, record):
    text = text_of(PlainReplay(game, record), 3)
    assert "Match m · deal 1 of 2 · trick 4" in text
    assert "what seat 1 knows" in text
    assert "[1,2,1]" in text
    assert "legal  1 2 3 4 5 6 7" in text
    assert "seat 1 drop 2" in text


def test_the_first_moment_after_a_deal_tells_its_events(game, record):
    assert "deal over: deal 1" in text_of(PlainReplay(game, record), 7)


def test_one_seats_view_hides_what_another_does(game, record):
    text = text_of(PlainReplay(game, record), 3, view=0)
    assert "what seat 0 knows" in text
    assert "seat 1 is to act" in text
    assert "drop 2" not in text


def test_nothing_drives_the_terminal(game, record):
    shown = PlainReplay(game, record)
    assert "\x1b" not in text_of(shown, 3) + "\n".join(shown.lines())


def test_a_record_that_breaks_the_rules_is_not_stepped_through(game, record):
    for changed in ({"actions": [*ACTIONS[:-1], 9]}, {"scores": [2, 0]}, {"seats": [{}, {}]}):
        with pytest.raises(ConfigError, match="cannot be stepped through"):
            PlainReplay(game, record | changed)


def test_a_place_that_is_not_there_is_refused(game, record):
    with pytest.raises(ConfigError, match="there is no deal 1, trick 20"):
        PlainReplay(game, record).find(1, 20)


def test_an_action_after_a_retirement_must_be_the_fallbacks(game, record):
    fault = {"seat": 1, "kind": "timeout", "deal": 1, "trick": 2, "detail": ""}
    found = game.replay(record | {"faults": [fault]})
    assert (found.deal, found.trick) == (1, 4)
    assert "not the fallback's" in found.error
