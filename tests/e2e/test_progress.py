"""What a person, a log and a program see of a run while it goes on."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time

import pytest

BOTS = ("random", "counting", "r2=random", "r3=random")
RUN = ("run", *BOTS, "--seed", "a-long-seed-of-no-meaning", "--workers", "1", "--out", "cup")
CONTROL = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\r")


@pytest.fixture
def env(cache):
    return {
        **os.environ,
        "XDG_CACHE_HOME": str(cache),
        "PYTHONPATH": os.pathsep.join(sys.path),
        "TERM": "xterm",
        "COLUMNS": "60",
        "LINES": "24",
    }


def on_a_terminal(command, folder, env) -> str:
    """What the command shows on a pseudo-terminal, without the control sequences."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command, cwd=folder, env=env, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    assert process.wait() == 0
    return CONTROL.sub("", shown.decode())


def test_a_terminal_of_60_columns_shows_a_bar_the_best_bots_and_the_board(tmp_path, env):
    shown = on_a_terminal([sys.executable, "-m", "arena", *RUN, "--orbits", "5"], tmp_path, env)
    assert "20/20" in shown
    assert re.search(r"1\. counting \d{4}  2\. ", shown)
    board = shown[shown.rindex("#") :].split("left in")[0]
    assert "counting" in board
    assert max(map(len, board.splitlines())) <= 60


def test_a_log_gets_plain_lines(tmp_path, env):
    done = subprocess.run(
        [sys.executable, "-m", "arena", *RUN, "--orbits", "2"],
        cwd=tmp_path, env=env, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert re.search(r"^8/8 matches, \d+ deals/s, 0 s left$", done.stderr, re.M)
    assert "\x1b" not in done.stdout + done.stderr


def test_a_program_gets_one_json_object_a_line_and_nothing_else(tmp_path, env):
    done = subprocess.run(
        [sys.executable, "-m", "arena", *RUN, "--orbits", "2", "--json-events"],
        cwd=tmp_path, env=env, capture_output=True, text=True, check=True,
    )  # fmt: skip
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [event["event"] for event in events] == ["start"] + ["match"] * 8
    assert events[0]["matches"] == 8
    assert len(events[0]["commitment"]) == 64
    assert sorted(events[1]["ranks"])[0] == 1


def test_ctrl_c_twice_stops_at_once_and_the_run_goes_on_later(tmp_path, env, arena):
    command = [sys.executable, "-m", "arena", *RUN, "--orbits", "200", "--json-events"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        for _ in range(4):
            run.stdout.readline()
        run.send_signal(signal.SIGINT)
        time.sleep(0.05)
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=60)
    assert run.returncode == 130
    assert "Traceback" not in said
    assert "to go on: arena run random" in said
    assert 3 <= len(arena("export", "cup").stdout.splitlines()) < 800


def test_a_reader_of_the_events_that_leaves_stops_the_run_which_goes_on_later(tmp_path, env, arena):
    command = [sys.executable, "-m", "arena", *RUN, "--orbits", "50", "--json-events"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.readline()
        run.stdout.close()
        said = run.stderr.read()
    assert run.returncode == 130
    assert "to go on: arena run random" in said
    assert "Traceback" not in said
    assert arena("export", "cup").stdout


def test_a_plan_is_told_and_nothing_is_played(tmp_path, arena):
    told = arena(*RUN, "--orbits", "1000", "--plan").stdout
    assert re.search(r"^matches +4,000$", told, re.M)
    assert re.search(r"^decisions +896,000$", told, re.M)
    assert not (tmp_path / "cup").exists()


def test_the_seed_is_committed_to_and_revealed(tmp_path, arena):
    (tmp_path / "cup.toml").write_text(
        'name = "cup"\nbots = ["random", "counting"]\n[schedule]\norbits = 1\n'
        "[run]\npublish_seed = true\n"
    )
    arena("run", "cup.toml")
    commitment, seed = (
        (tmp_path / "runs" / "cup" / name).read_text().strip()
        for name in ("commitment.txt", "seed.txt")
    )
    assert len(seed) == 32
    arena("verify", "runs/cup", "--seed", seed, "--commitment", commitment)
    arena("verify", "runs/cup", "--commitment", "0" * 64, status=1)
