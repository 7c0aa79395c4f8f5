"""The board as a picture."""

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from arena.errors import ConfigError
from arena.ratings.elo import BatchElo
from arena.report.leaderboard import Leaderboard, build_leaderboard
from arena.report.matches import Matches
from arena.report.plot import draw_board

NAMES = ["$x^2$", "<b>&", "[bold]", "\u202eevil\x1b", "plain", "a" * 200]


def board(names: list[str], sets: int = 6) -> Leaderboard:
    matches = Matches()
    for number in range(sets):
        for shift in range(len(names)):
            seats = [{"bot": names[(shift + step) % len(names)]} for step in range(4)]
            scores = [(shift * 5 + step * 7 + number * 3) % 13 for step in range(4)]
            record = {"seats": seats, "scores": scores, "set": str(number)}
            matches.gather([("here", record)])
    assert not matches.bad
    return build_leaderboard(matches, [BatchElo()])


@pytest.mark.filterwarnings("error")
def test_hostile_names_are_drawn_as_they_are(tmp_path: Path) -> None:
    draw_board(board(NAMES), tmp_path / "b.svg")
    tree = ElementTree.parse(tmp_path / "b.svg")
    assert tree.getroot().tag.endswith("svg")
    assert "$x^2$" in (tmp_path / "b.svg").read_text()


def test_the_same_board_gives_the_same_file(tmp_path: Path) -> None:
    for name in ("a", "b"):
        draw_board(board(NAMES), tmp_path / f"{name}.svg")
        draw_board(board(NAMES), tmp_path / f"{name}.png")
    for suffix in ("svg", "png"):
        assert (tmp_path / f"a.{suffix}").read_bytes() == (tmp_path / f"b.{suffix}").read_bytes()
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("sets", [0, 1])
def test_little_is_a_picture_too(tmp_path: Path, sets: int) -> None:
    draw_board(board(NAMES, sets), tmp_path / "b.svg")
    assert (tmp_path / "b.svg").stat().st_size > 0


def test_other_suffixes_and_places_are_refused(tmp_path: Path) -> None:
    for path, words in (
        (tmp_path / "b.pdf", "cannot draw .pdf"),
        (tmp_path / "no/b.svg", "No such"),
    ):
        with pytest.raises(ConfigError, match=words):
            draw_board(board(NAMES, 1), path)


def test_without_its_package_the_plot_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ConfigError, match=r"pip install 'callbreak-arena\[plot\]'"):
        draw_board(board(NAMES, 1), tmp_path / "b.svg")
