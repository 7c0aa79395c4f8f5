"""A run that is stopped and continued ends as if nobody had touched it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.e2e.conftest import environment

VILLAINS = Path(__file__).parents[1] / "villains"
SLEEPER = """name = "sleeper"
version = "1"
run = ["python3", "villain.py", "late-always", "0.3"]
"""
WORDS = ("sleeper", "random", "greedy", "counting", "--seed", "stop", "--deals", "1")
LIMITS = ("--move-ms", "600")
"""A move counts as slow, and a stop cannot be made good, after a quarter of it."""

pytestmark = [pytest.mark.quiet, pytest.mark.slow]


@pytest.fixture
def sleeper(tmp_path: Path) -> None:
    folder = tmp_path / "sleeper"
    folder.mkdir()
    (folder / "bot.toml").write_text(SLEEPER)
    (folder / "villain.py").write_text((VILLAINS / "villain.py").read_text())


def stopped_again_and_again(cache: Path, cwd: Path, words: Sequence[str], sign: str) -> str:
    """Runs `arena`; once `sign` is in its output, stops it and all its workers three times."""
    command = [sys.executable, "-u", "-m", "arena", *words]
    with subprocess.Popen(
        command,
        cwd=cwd,
        env=environment(cache),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        output = ""
        while sign not in output:
            output += process.stdout.readline()
        for _ in range(3):
            time.sleep(0.7)
            os.killpg(process.pid, signal.SIGSTOP)
            time.sleep(1)
            os.killpg(process.pid, signal.SIGCONT)
        output += process.stdout.read()
    assert process.returncode == 0, output
    return output


def test_a_stopped_run_charges_nobody_and_exports_the_same_bytes(arena, cache, tmp_path, sleeper):
    words = ("run", *WORDS, *LIMITS, "--orbits", "1", "--workers", "2", "--json-events")
    output = stopped_again_and_again(cache, tmp_path, (*words, "--out", "stopped"), '"match"')
    assert '"void"' not in output
    arena(*words, "--out", "whole")
    stopped, whole = (arena("export", name, "--no-timing").stdout for name in ("stopped", "whole"))
    assert '"faults":[]' in stopped
    assert stopped == whole


def test_a_stopped_match_charges_nobody(cache, tmp_path, sleeper):
    words = ("match", *WORDS, *LIMITS, "--watch", "--record", "match.jsonl")
    stopped_again_and_again(cache, tmp_path, words, "\n")
    assert '"faults":[]' in (tmp_path / "match.jsonl").read_text()
