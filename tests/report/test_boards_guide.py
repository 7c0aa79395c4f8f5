"""docs/guide/boards.md says what the program does."""

import json
import re
from pathlib import Path

import pytest
import typer

from arena.cli.board import register
from arena.ratings.elo import BatchElo
from arena.report.board_grid import HEADINGS
from arena.report.leaderboard import build_leaderboard
from arena.report.matches import Matches
from benchmarks.coverage import DESIGNS, FAR

GUIDE = (Path(__file__).parents[2] / "docs" / "guide" / "boards.md").read_text()


def test_the_guide_explains_every_column() -> None:
    table = "".join(line for line in GUIDE.splitlines() if line.startswith("|"))
    explained = set(re.findall(r"`([^`]+)`", table))
    assert set(HEADINGS) - {"bot", "matches", "version"} <= explained


def test_the_guide_has_a_line_for_every_design_that_the_bars_are_held_to() -> None:
    for design in (*DESIGNS, *FAR):
        assert f"\n| {design.name} |" in GUIDE


def test_the_guide_names_every_option() -> None:
    app = typer.Typer()
    register(app)
    options = [
        name
        for parameter in typer.main.get_command(app).params
        for name in (*parameter.opts, *parameter.secondary_opts)
        if name.startswith("--")
    ]
    known = {"--help", "--compare", "--install-completion", "--show-completion"}
    assert "--plot" in options
    assert [name for name in options if name not in known and name not in GUIDE] == []


@pytest.mark.parametrize("text", re.findall(r"```json\n(.*?)```", GUIDE, re.DOTALL))
def test_the_guides_record_is_a_record(text: str) -> None:
    matches = Matches()
    matches.gather([("guide", json.loads(text))])
    assert matches.bad == []
    assert len(build_leaderboard(matches, [BatchElo()]).rows) == 4
