"""A file that somebody else left where a command writes is there afterwards, as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.store import RunStore
from arena.tournament.transcript import keep

PUBLISHED = ("--set", "run.publish_seed=true", "--set", "run.transcripts=true")
RUN = ("run", "random", "counting", "r2=random", "r3=random", "--orbits", "1", *PUBLISHED)
LEFT_BY_A_RUN = (
    "board.md",
    "board.json",
    "board.csv",
    "commitment.txt",
    "seed.txt",
    "transcripts",
    "run.sqlite.new",
)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def run_folder(tmp_path) -> Path:
    """A run folder in which nothing has been played."""
    with RunStore.create(tmp_path / "cup", {"seed": "7"}):
        return tmp_path / "cup"


@pytest.mark.parametrize("name", LEFT_BY_A_RUN)
def test_a_new_run_replaces_no_file_of_others(complaint, tmp_path, name):
    notes = tmp_path / "notes" / name
    notes.parent.mkdir()
    notes.write_text("mine")
    assert f"{notes}: is there already" in complaint(*RUN, "--out", str(notes.parent))
    assert notes.read_text() == "mine"
    assert not (notes.parent / "run.sqlite").exists()


def test_a_new_run_writes_through_no_link_of_others(complaint, tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "board.md").symlink_to(tmp_path / "not-there-yet")
    complaint(*RUN, "--out", str(tmp_path / "notes"))
    assert not (tmp_path / "not-there-yet").exists()


def test_a_demo_replaces_no_board_of_others(complaint, tmp_path):
    (tmp_path / "board.md").write_text("mine")
    assert "board.md: is there already" in complaint("demo", "--out", str(tmp_path))
    assert (tmp_path / "board.md").read_text() == "mine"


def test_a_regression_test_replaces_no_transcripts_of_others(complaint, tmp_path):
    (tmp_path / "transcripts").write_text("mine")
    words = ("regress", "--base", "random", "--candidate", "random", "--out", str(tmp_path))
    assert "transcripts: is there already" in complaint(*words, *PUBLISHED)
    assert (tmp_path / "transcripts").read_text() == "mine"


@pytest.mark.parametrize("name", ["run.sqlite", "run.lock"])
@pytest.mark.parametrize(
    "words",
    [
        ("export", "RUN", "--out", "FILE"),
        ("match", *["random"] * 4, "--record", "FILE"),
        ("match", *["random"] * 4, "--transcript", "FILE"),
        ("play", *["random"] * 3, "--record", "FILE"),
        ("regress", "--base", "random", "--candidate", "random", "--json", "FILE"),
    ],
)
def test_nothing_is_written_into_the_files_of_a_run(complaint, run_folder, words, name):
    kept = run_folder / name
    before = kept.read_bytes()
    told = {"RUN": str(run_folder), "FILE": str(kept)}
    assert "a run is kept in this file" in complaint(*(told.get(word, word) for word in words))
    assert kept.read_bytes() == before


def test_a_link_to_a_runs_database_is_no_way_round(complaint, run_folder, tmp_path):
    link = tmp_path / "records.jsonl"
    link.symlink_to(run_folder / "run.sqlite")
    complaint("export", str(run_folder), "--out", str(link))
    with RunStore.read(run_folder) as store:
        assert store.header() == {"seed": "7"}


def test_a_game_log_is_not_replaced_by_what_is_read_from_it(complaint, tmp_path):
    log = tmp_path / "log.json"
    log.write_text("[]")
    assert "one of the game logs" in complaint("import-bhoos", str(log), "--out", str(log))
    assert log.read_text() == "[]"


def test_a_transcript_takes_no_name_that_is_taken(tmp_path):
    (tmp_path / "t.jsonl.new").write_text("mine")
    keep(tmp_path / "t.jsonl", b"lines")
    assert (tmp_path / "t.jsonl.new").read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t.jsonl", "t.jsonl.new"]
