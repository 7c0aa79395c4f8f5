"""A bot that leaves between matches is started again, and nobody is charged or left without."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from arena.tournament.prepare import Tournament
from tests.tournament.played import Heard, play, played_in

VILLAIN = Path(__file__).parents[1] / "villains" / "villain.py"
BOT_TOML = """\
name = "leaver"
version = "1"
run = ["python3", "villain.py", "leaves-at-the-end"]
"""


@pytest.fixture
def leaver(tmp_path: Path) -> str:
    folder = tmp_path / "leaver"
    folder.mkdir()
    shutil.copy(VILLAIN, folder)
    (folder / "bot.toml").write_text(BOT_TOML)
    return str(folder)


def records_of(tournament: Tournament, folder: Path) -> list[dict]:
    listener = Heard()
    assert play(tournament, folder, listener).complete
    assert listener.voids == []
    return played_in(folder)


@pytest.mark.slow
def test_a_bot_that_leaves_after_each_match_costs_nobody_anything(tournament, tmp_path, leaver):
    bots = [f"a{number}=random" for number in range(3)] + [f"l{n}={leaver}" for n in range(2)]
    file = {"bots": bots, "game": {"deals": 1}}  # it leaves after the last trick of a deal
    reused = records_of(tournament(**file, run={"workers": 1}), tmp_path / "reused")
    fresh = records_of(tournament(**file, run={"restart": "match"}), tmp_path / "fresh")
    assert not any(record["faults"] for record in reused)
    assert reused == fresh
