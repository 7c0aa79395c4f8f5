"""Whatever command plays a bot, the bot can run on one core alone.

The bot ends at once if it is free to run anywhere else, and names its core in its notes.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

PINNED = Path(__file__).parents[1] / "villains" / "pinned.py"
BOTS = [f"{name}={PINNED}" for name in "abcd"]
CORES = {f"core {core}" for core in os.sched_getaffinity(0)}


def cores_of(record: dict) -> set[str]:
    """The cores that the bots of a match named."""
    assert record["faults"] == []
    assert len({note["seat"] for note in record["notes"]}) == len(record["seats"])
    return {note["text"] for note in record["notes"]}


@pytest.fixture
def record(arena, tmp_path) -> Path:
    path = tmp_path / "record.jsonl"
    arena("match", *BOTS, "--deals", "1", "--require", "cores=enforced", "--record", path)
    return path


def test_a_match_sits_on_one_core(record):
    (text,) = record.read_text().splitlines()
    assert len(cores_of(json.loads(text))) == 1


@pytest.mark.slow
def test_a_decision_is_asked_again_on_one_core(arena, record):
    asked = arena("decide", record, "1", "--bot", BOTS[0], "--seat", "0", "--deal", "1", "--json")
    assert json.loads(asked.stdout)["note"] in CORES


@pytest.mark.slow
def test_bots_are_checked_and_benched_on_one_core(arena):
    assert "fit" in arena("check", BOTS[0]).stdout
    arena("bench", BOTS[0], "--matches", "1")


@pytest.mark.slow
@pytest.mark.parametrize("executor", ["local", "dask"])
def test_each_table_of_a_run_sits_on_one_core_even_if_there_are_too_few(
    arena, tmp_path, executor: str
):
    workers = len(CORES) + 1
    words = ("--executor", executor, "--workers", str(workers), "--deals", "1", "--orbits", "3")
    required = ("--require", "cores=enforced")
    done = arena("run", *BOTS, *words, *required, "--out", tmp_path / "run")
    assert f"{workers} tables share" in done.stderr
    records = arena("export", tmp_path / "run").stdout.splitlines()
    used = [cores_of(json.loads(text)) for text in records]
    assert all(len(cores) == 1 for cores in used)
    assert set().union(*used) <= CORES


@pytest.mark.slow
def test_a_regression_test_sits_on_one_core(arena):
    words = ("--base", BOTS[0], "--candidate", BOTS[1], "--max-sets", "32", "--deals", "1")
    assert "fault" not in arena("regress", *words, status=3).stdout
