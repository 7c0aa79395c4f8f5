"""A game's mistake is never a bot's fault: the match is void, and the game and its member named."""

from __future__ import annotations

import pytest

from arena import plugins
from arena.errors import PluginError
from arena.records import BotId
from arena.referee.api import RefereeRules, Table
from arena.referee.driver import play
from arena.referee.local import StandingClock, local_seat
from arena.tournament.plan import pack
from tests.broken_plugins import LATE, SOUND_GAME, STATES
from tests.referee.links import CLOCK


class First:
    """Takes the first legal action, or 1 where there is none."""

    def hear(self, message):
        pass

    def decide(self, request):
        return request["legal"][0] if request["legal"] else 1


@pytest.fixture
def game_with(tmp_path, monkeypatch):
    def load(line):
        file = tmp_path / "odd.py"
        file.write_text(f"{SOUND_GAME}\n{line}\n")
        monkeypatch.setenv("ARENA_PLUGINS", str(file))
        return plugins.games(plugins.build_manager())["naming"]

    return load


def played(game):
    table = Table(
        match="m1",
        set="s1",
        game=game,
        variant={"name": "plain", "deals": 1},
        seed="7",
        seats=(BotId("a", "1", "00"), BotId("b", "1", "00")),
        players=("a", "b"),
        seat_seeds=(1, 2),
        started="2024-01-01T00:00:00Z",
        rules=RefereeRules(),
    )
    clock = StandingClock(CLOCK)
    record = play(table, [local_seat(First(), name, clock) for name in "ab"], clock)
    pack(record)
    return record


def test_the_sound_game_is_sound(game_with):
    record = played(game_with(""))
    assert (record.scores, record.faults) == ((1, 1), ())


@pytest.mark.parametrize(("line", "said"), (STATES | LATE).items())
def test_a_games_mistake_voids_the_match_by_its_name_and_charges_no_bot(game_with, line, said):
    with pytest.raises(PluginError) as error:
        played(game_with(line))
    assert said in str(error.value)
    assert "game 'naming'" in str(error.value)
    assert "\n" not in str(error.value)
