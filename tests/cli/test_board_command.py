"""`arena board` from a file to the screen."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from arena.cli.app import main
from arena.cli.board import parse_anchor, register
from arena.errors import ConfigError, StoreError
from arena.store import Played, RunStore, packed


@pytest.fixture
def records(tmp_path: Path) -> Path:
    path = tmp_path / "records.jsonl"
    lines = [
        {"seats": [{"bot": bot} for bot in "abcd"], "scores": [9, 6, 3, n % 8], "set": str(n)}
        for n in range(40)
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


def run(*args: object, width: int = 100) -> tuple[str, str]:
    """Standard output and error of the command; errors for people are raised."""
    app = typer.Typer()
    app.callback()(lambda: None)
    register(app)
    arguments = ["board", *map(str, args)]
    found = CliRunner().invoke(app, arguments, catch_exceptions=False, env={"COLUMNS": str(width)})
    assert found.exit_code == 0, found.output
    return found.stdout, found.stderr


def test_the_board_of_a_file_of_records_is_a_table(records: Path) -> None:
    out, err = run(records)
    assert out.splitlines()[0].split()[:4] == ["#", "bot", "Elo", "±"]
    assert "4 bots, 40 matches in 40 deal sets." in out
    assert err == ""


@pytest.mark.parametrize("name", ["table", "json", "csv", "md"])
def test_every_format_is_found_by_its_name(records: Path, name: str) -> None:
    out, _ = run(records, "--format", name)
    assert "a" in out


def test_the_anchor_is_shown_with_its_figure(records: Path) -> None:
    out, _ = run(records, "--anchor", "b=2000", "--format", "json")
    assert {row["bot"]: row["elo"] for row in json.loads(out)["rows"]}["b"] == 2000


def test_bad_lines_are_refused_or_skipped_aloud(records: Path) -> None:
    records.write_text(records.read_text() + "nonsense\n")
    with pytest.raises(ConfigError, match="line 41: not JSON"):
        run(records)
    out, err = run(records, "--skip-bad")
    assert "1 bad line skipped" in out
    assert "1 bad line skipped" in err


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--format", "pdf", "no report format 'pdf'"),
        ("--rating", "glicko", "no rating 'glicko'"),
        ("--rating", ",", "no rating system is named"),
        ("--anchor", "b", "cannot read 'b'"),
        ("--anchor", "zed=1500", "'zed' plays no match"),
        ("--merge", "zed", "no bot is called 'zed'"),
    ],
)
def test_wrong_options_are_named(records: Path, option: str, value: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        run(records, option, value)


def test_an_anchor_may_be_a_name_with_an_equals_sign() -> None:
    assert parse_anchor("a=b=1500") == ("a=b", 1500.0)
    for text in ("=1500", "a=nan", "a=inf", "a="):
        with pytest.raises(ConfigError, match="write NAME=1500"):
            parse_anchor(text)


def test_two_paths_are_compared_and_pooled_on_demand(records: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text(records.read_text())
    out, _ = run(records, other)
    assert out.splitlines()[0].split()[:4] == ["#", "was", "bot", "before"]
    pooled, _ = run(records, other, "--pool")
    assert "80 matches in 40 deal sets" in pooled
    assert "Every match stands 2 times in its deal set" in pooled
    for same in (run(records, other, records)[0], run(records, other, records, "--pool")[0]):
        assert "120 matches" in same
    with pytest.raises(ConfigError, match="1 path is given"):
        run(records, "--compare")


def test_other_ratings_stand_beside_the_first(records: Path) -> None:
    out, _ = run(records, "--rating", "elo,elo-sequential,openskill", width=120)
    assert {"Elo", "elo-sequential*", "openskill*"} <= set(out.splitlines()[0].split())
    assert "in another order give other" in out
    out, _ = run(records, "--rating", "elo-sequential", "--format", "json")
    assert json.loads(out)["order_dependent"] == ["elo-sequential"]


def test_the_plot_is_drawn_beside_the_board(records: Path, tmp_path: Path) -> None:
    out, _ = run(records, "--plot", tmp_path / "board.svg")
    assert "4 bots" in out
    assert (tmp_path / "board.svg").read_text().startswith("<?xml")


def test_versions_of_a_bot_are_apart_until_merged(records: Path) -> None:
    lines = [json.loads(line) for line in records.read_text().splitlines()]
    for number, line in enumerate(lines):
        line["seats"][0] |= {"version": str(number % 2), "digest": str(number % 2) * 64}
    records.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    apart = json.loads(run(records, "--format", "json")[0])["rows"]
    assert {row["bot"] for row in apart} == {"a@0", "a@1", "b", "c", "d"}
    merged = json.loads(run(records, "--format", "json", "--merge", "a")[0])["rows"]
    assert {row["bot"]: row["version"] for row in merged}["a"] == "0, 1"


def test_a_run_folder_and_its_records_give_the_same_board(records: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    lines = [line for line in records.read_text().splitlines() if line]
    named = [json.dumps({"match": f"m{n}", **json.loads(line)}) for n, line in enumerate(lines)]
    with RunStore.create(folder, {}) as store:
        store.add(
            Played(n, f"m{n}", (0, 1, 2, 3), (1, 2, 3, 4), packed(line.encode()))
            for n, line in enumerate(named)
        )
    assert run(folder)[0] == run(records)[0]


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="not a run folder"):
        run(tmp_path)


def test_the_command_line_ends_with_one_line_and_status_2(
    records: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records.write_text("{}\n")
    with pytest.raises(SystemExit) as caught:
        main(["board", str(records)])
    out, err = capsys.readouterr()
    assert caught.value.code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert "line 1: seats is missing" in err
