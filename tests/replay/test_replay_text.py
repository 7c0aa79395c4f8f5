"""A recorded match as text: every moment, what is legal there, nothing that drives a terminal."""

from __future__ import annotations

from typing import Any

import pytest
from rich.console import Console

from arena.errors import ConfigError
from arena.report.callbreak.lines import plain_lines
from arena.report.callbreak.replay import CALL, DEAL_OVER, PLAY, TRICK_OVER, Replay
from arena.report.callbreak.screen import draw
from tests.replay.conftest import GAME, play_match


def text_of(shown: Replay, index: int, view: int | None = None) -> str:
    console = Console(width=120, highlight=False)
    with console.capture() as captured:
        console.print(draw(shown, shown.moments[index], view))
    return captured.get()


def test_every_deal_has_its_calls_cards_and_ends_as_moments() -> None:
    shown = Replay(play_match())
    kinds = [moment.kind for moment in shown.moments]
    assert len(kinds) == 2 * (4 + 13 * 5 + 1)
    assert [kinds.count(kind) for kind in (CALL, PLAY, TRICK_OVER, DEAL_OVER)] == [8, 104, 26, 2]


def test_a_moment_shows_what_the_engine_says() -> None:
    record = play_match()
    shown = Replay(record)
    state = GAME.new_match(record["seed"], record["variant"])
    for moment in shown.moments:
        if moment.seat is None:
            continue
        situation = shown.situation(moment)
        seen = state.observation(moment.seat)
        legal = [state.encode(action) for action in state.legal_actions()]
        assert list(situation.legal) == [str(word) for word in legal]
        assert list(situation.hands[moment.seat]) == seen["hand"]
        assert list(situation.calls) == seen["calls"]
        assert list(situation.scores) == seen["scores"]
        if moment.kind == PLAY:
            assert list(situation.won) == seen["won"]
            assert [card for _, card in situation.table] == seen["trick"]["cards"]
        state.apply(state.legal_actions()[[str(word) for word in legal].index(situation.chosen)])
    assert state.is_terminal()


def test_the_end_of_a_trick_shows_four_cards_and_the_winner() -> None:
    record = play_match()
    shown = Replay(record)
    trick = record["deals"][0]["tricks"][4]
    (over,) = [m for m in shown.moments if (m.kind, m.deal, m.trick) == (TRICK_OVER, 1, 5)]
    situation = shown.situation(over)
    assert [card for _, card in situation.table] == trick["cards"]
    assert situation.winner == trick["winner"]


def test_one_seats_view_hides_the_other_hands_and_choices() -> None:
    shown = Replay(play_match())
    index = shown.find(1, 1)
    onlooker = (shown.moments[index].seat + 1) % 4  # type: ignore[operator]
    assert text_of(shown, index, onlooker).count("13 cards") == 3
    assert "legal" not in text_of(shown, index, onlooker)
    assert "legal" in text_of(shown, index)


def test_plain_lines_tell_the_whole_match() -> None:
    record = play_match()
    lines = list(plain_lines(Replay(record)))
    for deal in record["deals"]:
        for trick in deal["tricks"]:
            assert any(f":{trick['cards'][3]}  won by {trick['winner']}" in line for line in lines)
    assert lines[-1].startswith("deal 2 over: 0 ann called")


def test_nothing_that_an_author_wrote_drives_the_terminal(hostile_record: dict[str, Any]) -> None:
    shown = Replay(hostile_record)
    text = "\n".join(plain_lines(shown))
    text += "".join(text_of(shown, index) for index in range(10))
    assert "\\x1b[31mred" in text
    assert all(character.isprintable() or character == "\n" for character in text)


def test_a_record_that_breaks_the_rules_is_refused() -> None:
    record = play_match()
    record["scores"] = [99, 0, 0, 0]
    with pytest.raises(ConfigError, match="scores"):
        Replay(record)


@pytest.mark.parametrize(
    ("key", "value"), [("seats", [{}] * 4), ("seats", None), ("match", 7), ("match", None)]
)
def test_a_record_without_names_is_refused(key: str, value: object) -> None:
    with pytest.raises(ConfigError, match="does not name"):
        Replay({**play_match(), key: value})


@pytest.mark.parametrize("junk", [None, 3, "x", [1, None, "x", {}], {"a": 1}])
def test_notes_that_are_none_are_passed_over(junk: object) -> None:
    assert list(plain_lines(Replay({**play_match(), "notes": junk})))


def test_a_place_that_is_not_there_is_refused() -> None:
    with pytest.raises(ConfigError, match="no deal 2, trick 14"):
        Replay(play_match()).find(2, 14)
