"""The same match has the same verdict, however many matches a process has played before it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from arena.tournament.prepare import Tournament
from tests.tournament.played import Heard, play, played_in

VILLAIN = Path(__file__).parents[1] / "villains" / "villain.py"
BOT_TOML = """\
name = "villain"
version = "1"
run = ["python3", "villain.py", "{misdeed}"]
"""
INNOCENT = [
    "leaves-at-the-end",
    "speaks-after-the-end",
    "speaks-late-after-the-end",
]
CHARGED = "banner-after-the-hello"
WAYS = [
    {"workers": 1},
    {"workers": 2},
    {"workers": 1, "restart": "match"},
    {"workers": 2, "restart": "match"},
]
"""Every way in which a run uses processes again, or does not."""


@pytest.fixture
def villain(tmp_path: Path) -> Callable[[str], str]:
    def make(misdeed: str) -> str:
        folder = tmp_path / misdeed
        folder.mkdir()
        shutil.copy(VILLAIN, folder)
        (folder / "bot.toml").write_text(BOT_TOML.format(misdeed=misdeed))
        return str(folder)

    return make


def records_of(tournament: Tournament, folder: Path) -> list[dict]:
    listener = Heard()
    assert play(tournament, folder, listener).complete
    assert listener.voids == []
    return played_in(folder)


@pytest.mark.slow
def test_the_verdicts_depend_neither_on_workers_nor_on_fresh_processes(
    tournament, tmp_path, villain
):
    misdeeds = [*INNOCENT, CHARGED]
    bots = [f"{misdeed}={villain(misdeed)}" for misdeed in misdeeds]
    file = {"bots": bots, "game": {"deals": 1}, "limits": {"strikes": 1}}
    exports = []
    for number, way in enumerate(WAYS):
        records = records_of(tournament(**file, run=way), tmp_path / str(number))
        exports.append([orjson.dumps(record) for record in records])
    assert all(export == exports[0] for export in exports)
    faults = [
        (record["seats"][fault["seat"]]["bot"], fault["retired"])
        for record in map(orjson.loads, exports[0])
        for fault in record["faults"]
    ]
    assert faults == [(CHARGED, False)] * 8  # once in each of its matches
