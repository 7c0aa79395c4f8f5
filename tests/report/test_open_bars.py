"""A bar without an end is shown as one, in every format."""

import json
from pathlib import Path

import pytest

from arena.ratings.api import Rated
from arena.ratings.elo import BatchElo
from arena.report.api import Screen
from arena.report.bar_text import bar_text, figure_with_bar
from arena.report.csv_board import CsvFormat
from arena.report.elo_scale import scale_of
from arena.report.json_board import JsonFormat
from arena.report.leaderboard import Leaderboard, build_leaderboard
from arena.report.markdown import MarkdownFormat
from arena.report.matches import Matches
from arena.report.plot import draw_board
from arena.report.site.error_bars import draw_bar
from arena.report.site.live import board_data
from arena.report.table import TableFormat

WIDE = Screen(200)


@pytest.fixture(scope="module")
def board() -> Leaderboard:
    """`top` beats all and `low` nobody; `m` and `n` take points from each other."""
    found = Matches()
    for number in range(60):
        record = {
            "seats": [{"bot": bot} for bot in ("top", "m", "n", "low")],
            "scores": [9, number % 2, 0.5, -1],
            "set": str(number),
        }
        found.gather([(f"line {number}", record)])
    return build_leaderboard(found, [BatchElo()])


def test_a_table_shows_where_a_bar_begins_and_says_why_it_has_no_end(board: Leaderboard) -> None:
    for text in (TableFormat().render(board, WIDE), MarkdownFormat().render(board, WIDE)):
        top, low = (row.rated for row in (board.rows[0], board.rows[-1]))
        assert f"> {top.low:.0f}" in text.replace("\\", "")
        assert f"< {low.high:.0f}" in text.replace("\\", "").replace("&lt;", "<")
        assert "2 bars without an end" in text
        assert "Bars are against the mean of bots that took points from each other: m, n." in text


def test_json_leaves_an_open_end_null_and_names_it(board: Leaderboard) -> None:
    found = json.loads(JsonFormat().render(board, WIDE))
    rows = {row["bot"]: row for row in found["rows"]}
    assert (rows["top"]["elo_high"], rows["top"]["elo_open"]) == (None, "high")
    assert (rows["low"]["elo_low"], rows["low"]["elo_open"]) == (None, "low")
    assert rows["top"]["elo_low"] < rows["top"]["elo"]
    assert rows["m"]["elo_open"] is None
    assert len(found["notes"]) == 1
    assert "inf" not in CsvFormat().render(board, WIDE)


def test_pages_draw_an_open_end_to_the_end_of_the_scale(board: Leaderboard) -> None:
    scale = scale_of([row.rated for row in board.rows])
    drawn = str(draw_bar(scale, board.rows[0].rated))
    assert f"at least {board.rows[0].rated.low:.0f}" in drawn
    assert "inf" not in drawn
    assert "nan" not in drawn
    assert board_data(board)["bars"][0]["high"] == 100
    assert board_data(board)["bars"][-1]["low"] == 0


def test_pictures_draw_open_ends(board: Leaderboard, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    draw_board(board, tmp_path / "board.svg")
    assert (tmp_path / "board.svg").stat().st_size > 1000


def test_a_bar_in_words() -> None:
    assert bar_text(Rated("a", 1500)) == ""
    assert bar_text(Rated("a", 1500, 1400, 1610)) == "110"
    assert bar_text(Rated("a", 1500, 1400, 1700)) == "-100 +200"
    assert figure_with_bar(Rated("a", 1500, 1400, 1600)) == "1500 ±100"
    assert figure_with_bar(Rated("a", 2300, 2100, float("inf"))) == "2300 (> 2100)"
    assert bar_text(Rated("a", 1500, -float("inf"), float("inf"))) == "open"
