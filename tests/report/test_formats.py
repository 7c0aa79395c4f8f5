"""The leaderboard in every format, with hostile names and narrow screens."""

import csv
import json
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from arena.ratings.elo import BatchElo
from arena.report.api import ReportFormat, Screen
from arena.report.csv_board import CsvFormat
from arena.report.json_board import JsonFormat
from arena.report.leaderboard import Leaderboard, build_leaderboard
from arena.report.markdown import MarkdownFormat
from arena.report.matches import Matches
from arena.report.table import TableFormat

FORMATS = (TableFormat(), JsonFormat(), CsvFormat(), MarkdownFormat())
HOSTILE = ["[bold]x[/bold]", "a|b\n# c", "=HYPERLINK(1)", "\x1b[31mred\x1b[0m", "\u202eevil", "ok"]


def match(*names: str, scores: list[float], deal_set: str, **more: object) -> dict[str, object]:
    seats = [{"bot": name, "version": "1.0"} for name in names]
    return {"seats": seats, "scores": scores, "set": deal_set, **more}


def board_of(records: list[dict[str, object]]) -> Leaderboard:
    matches = Matches()
    matches.gather((f"x line {n}", record) for n, record in enumerate(records, 1))
    assert not matches.bad
    return build_leaderboard(matches, [BatchElo()])


def orbits(names: list[str], sets: int = 12) -> list[dict[str, object]]:
    """Each bot scores as its place in the list says, with some luck."""
    found = []
    for number in range(sets):
        for shift in range(len(names)):
            chosen = [(shift + step) % len(names) for step in (0, 1, 3, 4)]
            scores = [-4.0 * bot + (bot * 7 + number * 5 + shift * 3) % 11 for bot in chosen]
            found.append(
                match(
                    *(names[bot] for bot in chosen),
                    scores=scores,
                    deal_set=f"s{number}",
                    variant={"deals": 4},
                )
            )
    return found


def full_record(**changes: object) -> dict[str, object]:
    deal = {"dealer": 3, "calls": [2, 3, 4, 5], "points": [2, -3, 4, -5]}
    return {
        **match("a", "b", "c", "d", scores=[4, -6, 8, -10], deal_set="s"),
        "deals": [deal, {**deal, "dealer": 0}],
        "timing": [{"decisions": 10, "total_ms": 25.0 * seat} for seat in range(4)],
        **changes,
    }


def rows(board: Leaderboard) -> dict[str, dict[str, object]]:
    return {row["bot"]: row for row in json.loads(JsonFormat().render(board, Screen()))["rows"]}


def test_json_keeps_the_contract() -> None:
    found = json.loads(JsonFormat().render(board_of(orbits(list("abcdefgh"))), Screen()))
    assert found["rating"] == "elo"
    assert found["components"] == [list("abcdefgh")]
    contract = ["rank", "bot", "version", "elo", "elo_low", "elo_high", "se", "matches"]
    contract += ["points_per_deal", "faults"]
    for place, row in enumerate(found["rows"], 1):
        assert list(row)[:10] == contract
        assert {"se_cluster", "se_model", "los_next", "points_se"} <= row.keys()
        assert row["rank"] == place
        assert row["elo_low"] < row["elo"] < row["elo_high"]
        assert row["matches"] == 48
    assert [row["bot"] for row in found["rows"]] == list("abcdefgh")


def test_full_records_add_calls_times_and_points_a_deal() -> None:
    row = rows(board_of([full_record()]))
    assert [row[bot]["points_per_deal"] for bot in "abcd"] == [2, -3, 4, -5]
    assert [row[bot]["calls_made"] for bot in "abcd"] == [1, 0, 1, 0]
    assert [row[bot]["mean_call"] for bot in "abcd"] == [2, 3, 4, 5]
    assert [row[bot]["ms_per_move"] for bot in "abcd"] == [0, 2.5, 5, 7.5]
    assert [row[bot]["wins"] for bot in "abcd"] == [0, 0, 1, 0]


def test_calls_of_the_fallback_player_are_not_the_bots() -> None:
    row = rows(board_of([full_record(faults=[{"seat": 1, "deal": 2, "kind": "timeout"}])]))
    assert (row["a"]["calls"], row["b"]["calls"]) == (2, 1)


def test_minimal_records_leave_what_they_do_not_say_empty() -> None:
    row = rows(board_of([match(*"abcd", scores=[4, 3, 2, 1], deal_set="s")]))["a"]
    assert row["points_per_deal"] is None
    assert row["points_per_match"] == 4
    assert row["calls_made"] is None


def test_equal_bots_share_a_rank() -> None:
    row = rows(board_of([match(*"abcd", scores=[4, 2, 2, 1], deal_set="s")]))
    assert [row[bot]["rank"] for bot in "abcd"] == [1, 2, 2, 4]


def test_groups_that_never_met_are_ranked_apart() -> None:
    board = board_of(
        [
            match(*"abcd", scores=[4, 3, 2, 1], deal_set="s"),
            match(*"wx", scores=[2, 1], deal_set="t"),
        ]
    )
    assert [(row.bot, row.rank) for row in board.rows][3:5] == [("d", 4), ("w", 1)]
    table = TableFormat().render(board, Screen())
    assert "2 groups of bots never met" in table
    assert table.splitlines()[5] == ""


def test_sixty_columns_hold_the_needed_and_a_wide_screen_everything() -> None:
    board = board_of(orbits(["a-bot-with-a-name-of-forty-characters-xx", *"bcdefgh"]))
    narrow = TableFormat().render(board, Screen(60)).splitlines()
    assert all(cell_len(line) <= 60 for line in narrow)
    assert narrow[0].split() == ["#", "bot", "Elo", "±", "matches", "pts/deal"]
    wide = TableFormat().render(board, Screen(200)).splitlines()
    assert {"LOS", "won", "±pts"} <= set(wide[0].split())
    assert "a-bot-with-a-name-of-forty-characters-xx" in wide[1]


@given(
    st.lists(st.text(min_size=1, max_size=30), min_size=6, max_size=6, unique=True),
    st.integers(60, 120),
)
def test_no_name_makes_a_line_wider_than_the_screen(names: list[str], width: int) -> None:
    table = TableFormat().render(board_of(orbits(names, 2)), Screen(width))
    assert all(cell_len(line) <= width for line in table.splitlines())


@pytest.mark.parametrize("style", FORMATS, ids=lambda style: style.name)
def test_hostile_names_stay_names(style: ReportFormat) -> None:
    text = style.render(board_of(orbits(HOSTILE)), Screen(200))
    assert "\x1b" not in text
    assert "\u202e" not in json.dumps(text, ensure_ascii=False) or style.name == "json"
    if style.name != "json":
        assert text.isascii() or text.replace("\n", "").isprintable()


def test_markup_in_a_name_is_shown_and_not_obeyed() -> None:
    text = TableFormat().render(board_of(orbits(HOSTILE)), Screen(200))
    assert "[bold]x[/bold]" in text
    assert "a|b\\n# c" in text


def test_markdown_rows_have_as_many_cells_as_the_heading() -> None:
    text = MarkdownFormat().render(board_of(orbits(HOSTILE)), Screen())
    table = [line for line in text.splitlines() if line.startswith("|")]
    counts = {line.replace("\\|", "").count("|") for line in table}
    assert len(table) == 2 + len(HOSTILE)
    assert len(counts) == 1


def test_no_cell_of_a_csv_file_is_a_formula() -> None:
    text = CsvFormat().render(board_of(orbits(HOSTILE)), Screen())
    parsed = list(csv.DictReader(StringIO(text)))
    assert {row["bot"] for row in parsed} >= {"'=HYPERLINK(1)", "ok", "\\x1b[31mred\\x1b[0m"}


@pytest.mark.parametrize("style", FORMATS, ids=lambda style: style.name)
def test_no_matches_are_a_board_too(style: ReportFormat) -> None:
    assert style.render(board_of([]), Screen())


@pytest.mark.parametrize("style", FORMATS, ids=lambda style: style.name)
def test_scores_of_a_million_millions_are_shown(style: ReportFormat) -> None:
    scores = [10.0**12, 3.0, -(10.0**12), 0.5]
    assert style.render(board_of([match(*"abcd", scores=scores, deal_set="s")] * 3), Screen(60))


def test_a_terminal_gets_colour_and_a_pipe_does_not() -> None:
    board = board_of(orbits(list("abcdefgh")))
    assert "\x1b[1m" in TableFormat().render(board, Screen(80, colour=True))
    assert "\x1b" not in TableFormat().render(board, Screen(80))
