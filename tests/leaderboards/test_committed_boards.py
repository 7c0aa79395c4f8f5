"""Every committed board belongs to the tournament file beside it."""

import hashlib
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from arena.tournament.config import read_tournament

BOARDS = Path(__file__).parents[2] / "leaderboards"
FOLDERS = sorted(path.parent for path in BOARDS.glob("*/tournament.toml"))


def test_there_is_a_house_board() -> None:
    assert BOARDS / "house" in FOLDERS


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_board_was_made_from_the_tournament_file(folder: Path) -> None:
    made_from = json.loads((folder / "made-from.json").read_text())
    text = (folder / "tournament.toml").read_bytes()
    assert made_from["tournament_sha256"] == hashlib.sha256(text).hexdigest(), (
        f"run: python leaderboards/make.py {folder.name}"
    )


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_board_shows_the_whole_tournament(folder: Path) -> None:
    file = read_tournament(folder / "tournament.toml")
    board = json.loads((folder / "board.json").read_text())
    names = {row["bot"] for row in board["rows"]}
    assert names == set(file.bots)
    assert board["deal_sets"] == file.schedule.orbits
    assert board["matches"] == file.schedule.orbits * len(file.bots)
    assert {row["matches"] for row in board["rows"]} == {4 * file.schedule.orbits}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_all_forms_of_the_board_say_the_same(folder: Path) -> None:
    rows = json.loads((folder / "board.json").read_text())["rows"]
    table = [line.split(" | ") for line in (folder / "board.md").read_text().splitlines()[2:]]
    shown = [(cells[1], cells[2]) for cells in table if len(cells) > 3]
    assert shown == [(row["bot"], f"{row['elo']:.0f}") for row in rows]
    made_from = json.loads((folder / "made-from.json").read_text())
    assert made_from["bots"].keys() == {row["bot"] for row in rows}
    ElementTree.parse(folder / "board.svg")
