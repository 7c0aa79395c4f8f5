"""`arena run`, `board`, `export`, `verify`: a tournament from the command line to its audit."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from arena_protocol.record import MatchRecord

BOTS = ("random", "counting", "r2=random", "r3=random", "r4=random")
RUN = ("run", *BOTS, "--seed", "a-long-seed-of-no-meaning", "--workers", "2", "--out", "cup")


@pytest.fixture(scope="module")
def cup(tmp_path_factory, cache):
    """A finished run of 5 bots and 4 orbits, exported."""
    folder = tmp_path_factory.mktemp("cup")
    words = [sys.executable, "-m", "arena"]
    env = {**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONPATH": os.pathsep.join(sys.path)}
    for command in ((*RUN, "--orbits", "4"), ("export", "cup", "--out", "cup.jsonl")):
        subprocess.run([*words, *command], cwd=folder, env=env, check=True, timeout=250)
    return folder


def records_of(cup) -> list[dict]:
    return [json.loads(line) for line in (cup / "cup.jsonl").read_text().splitlines()]


def test_a_run_leaves_its_board_in_its_folder(cup):
    board = json.loads((cup / "cup" / "board.json").read_text())
    assert [row["rank"] for row in board["rows"]] == [1, 2, 3, 4, 5]
    assert board["rows"][0]["bot"] == "counting"
    assert (cup / "cup" / "board.md").read_text().count("|") > 20


def test_every_exported_record_keeps_the_schema(cup):
    records = records_of(cup)
    assert len(records) == 20
    for record in records:
        MatchRecord.model_validate(record)


def test_a_board_of_the_export_is_the_board_of_the_run(cup, arena):
    run, file = (
        arena("board", cup / name, "--format", "json").stdout for name in ("cup", "cup.jsonl")
    )
    assert run == file


def test_what_was_played_passes_the_audit(cup, arena):
    assert "20 records keep the rules" in arena("verify", cup / "cup").stdout
    seed = "a-long-seed-of-no-meaning"
    assert "derive from the seed" in arena("verify", cup / "cup.jsonl", "--seed", seed).stdout
    assert arena("verify", cup / "cup.jsonl", "--seed", "another", status=1)


def change_card(deal):
    first, other = deal["tricks"][4]["cards"], deal["tricks"][5]["cards"]
    first[0], other[0] = other[0], first[0]


def change_call(deal):
    deal["calls"][2] += 1


def change_winner(deal):
    deal["tricks"][4]["winner"] = (deal["tricks"][4]["winner"] + 1) % 4


def change_score(deal):
    deal["scores"][3] += 1


def change_dealer(deal):
    deal["dealer"] = (deal["dealer"] + 1) % 4


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (change_card, "deal 2, trick"),
        (change_winner, "deal 2, trick 5"),
        (change_call, "deal 2"),
        (change_score, "deal 2"),
        (change_dealer, "deal 2"),
    ],
)
def test_one_changed_fact_fails_the_audit_by_match_deal_and_trick(
    cup, arena, tmp_path, change, place
):
    records = records_of(cup)
    change(records[7]["deals"][1])
    (tmp_path / "forged.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records))
    done = arena("verify", "forged.jsonl", status=1)
    assert f"match {records[7]['match']}, {place}" in done.stderr
    assert re.search(r"^\d+ faults? found in 20 records$", done.stdout, re.MULTILINE)


def test_a_record_that_does_not_say_who_played_fails_the_audit(cup, arena, tmp_path):
    records = records_of(cup)
    del records[2]["seats"]
    del records[3]["seats"][1]["bot"]
    records[4]["seats"] = []
    (tmp_path / "nameless.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records))
    told = arena("verify", "nameless.jsonl", status=1).stderr
    for record in records[2:5]:
        assert f"match {record['match']}: does not say who sat where" in told


def test_single_matches_recorded_in_one_file_are_different_matches(arena):
    for seed in ("7", "8"):
        arena("match", *["random"] * 4, "--seed", seed, "--record", "matches.jsonl")
    arena("verify", "matches.jsonl")
    arena("match", *["random"] * 4, "--seed", "8", "--record", "matches.jsonl")
    assert "match 1: stands twice" in arena("verify", "matches.jsonl", status=1).stderr


def test_a_finished_run_started_again_plays_nothing_and_shows_its_board(cup, arena):
    words = [word if word != "cup" else str(cup / "cup") for word in RUN]
    before = (cup / "cup" / "board.json").read_text()
    assert "counting" in arena(*words, "--orbits", "4").stdout
    assert (cup / "cup" / "board.json").read_text() == before


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_run_that_was_stopped_goes_on_and_leaves_no_process(arena, tmp_path, cache, blow):
    env = {**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "arena", *RUN, "--orbits", "16", "--json-events"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        assert json.loads(run.stdout.readline())["event"] == "start"
        for _ in range(5):
            assert json.loads(run.stdout.readline())["event"] == "match"
        run.send_signal(blow)
        _, said = run.communicate(timeout=60)
    if blow is not signal.SIGKILL:
        assert run.returncode == 130
        assert "to go on: arena run" in said
    assert left_in(tmp_path) == []
    exported = arena("export", "cup").stdout.splitlines()
    assert 5 <= len(exported) < 80
    arena(*RUN, "--orbits", "16")
    # Two workers: the first match of the schedule need not be the first that ended.
    assert set(exported) <= set(arena("export", "cup").stdout.splitlines())
    assert "80 records keep the rules" in arena("verify", "cup").stdout


def left_in(folder, patience_s: float = 20.0) -> list[str]:
    """The command lines of processes that work in the folder and do not end soon."""
    deadline = time.monotonic() + patience_s
    while (left := _working_in(folder)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left


def _working_in(folder) -> list[str]:
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if os.readlink(place / "cwd") == str(folder):
                found.append((place / "cmdline").read_bytes().replace(b"\0", b" ").decode())
    return found
