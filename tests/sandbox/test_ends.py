"""No process is left, however early the kill and whoever dies first."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
import uuid
from pathlib import Path

import pytest

from arena.process import Launch, spawn
from arena.sandbox.api import Limits, Program
from arena.sandbox.bubblewrap import Bubblewrap
from arena.sandbox.gate import SCRIPT
from arena.sandbox.landlock import Landlock
from arena.sandbox.unborn import sweep

FIRST_MS = 10.0
GONE_S = 60.0

FORKER = """
import os, time
for _ in range(4):
    if os.fork() == 0:
        os.setsid()
        os.fork()
        time.sleep(600)
time.sleep(600)
"""

HARNESS = """
import sys, time
from pathlib import Path
from arena.process import spawn
from arena.sandbox.api import Limits, Program
from arena.sandbox.bubblewrap import Bubblewrap
folder, mark, wait_ms = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])
sandbox = Bubblewrap()
launch = sandbox.launch(Program(folder, ("/usr/bin/python3", "forker.py", mark)), Limits())
print("ready", flush=True)
bots = [spawn(launch) for _ in range(4)]
time.sleep(600)
"""


@pytest.fixture
def mark() -> str:
    return f"mark-{uuid.uuid4().hex}"


def marked(mark: str, wait_s: float = GONE_S) -> list[str]:
    """Command lines of living processes with `mark`, after waiting for there to be none."""
    deadline = time.monotonic() + wait_s
    while True:
        found = [line for line in map(command_line, os.listdir("/proc")) if mark in line]
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(0.02)


def command_line(pid: str) -> str:
    if not pid.isdigit() or int(pid) == os.getpid():
        return ""
    try:
        return Path("/proc", pid, "cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return ""


@pytest.mark.slow
@pytest.mark.parametrize("starts", [80, pytest.param(300, marks=pytest.mark.long)])
@pytest.mark.parametrize("provider", [Bubblewrap, Landlock], ids=lambda provider: provider.name)
def test_starts_killed_within_their_first_moments_leave_nothing(
    provider, starts: int, folder: Path, mark: str
):
    (folder / "forker.py").write_text(FORKER)
    sandbox = provider()
    chance = random.Random(1)
    for _ in range(starts):
        program = Program(folder, ("/usr/bin/python3", "forker.py", mark))
        with spawn(sandbox.launch(program, Limits())) as process:
            time.sleep(chance.random() * FIRST_MS / 1000)
            process.kill()
            assert process.survivors == 0
    assert marked(mark) == []


def test_a_launcher_that_dies_when_the_gate_has_just_opened_leaves_nothing(folder: Path, mark: str):
    """It dies of our own death, and from the gate on the bot must die of its."""
    (folder / "forker.py").write_text(FORKER)
    sandbox = Bubblewrap()
    for _ in range(10):
        program = Program(folder, ("/usr/bin/python3", "forker.py", mark))
        with spawn(sandbox.launch(program, Limits())) as process:
            os.kill(process.pid, signal.SIGKILL)
            assert marked(mark) == []


@pytest.mark.slow
@pytest.mark.parametrize("kills", [8, pytest.param(20, marks=pytest.mark.long)])
def test_a_harness_killed_at_any_moment_leaves_nothing(kills: int, folder: Path, mark: str):
    (folder / "forker.py").write_text(FORKER)
    chance = random.Random(2)
    path = os.pathsep.join(p for p in sys.path if p)
    for _ in range(kills):
        argv = (sys.executable, "-c", HARNESS, str(folder), mark, "0")
        with spawn(Launch(argv, {"PYTHONPATH": path, "PATH": "/usr/bin:/bin"})) as harness:
            os.set_blocking(harness.stdout, True)
            assert os.read(harness.stdout, 10) == b"ready\n", os.read(harness.stderr, 9999)
            time.sleep(chance.random() * 0.06)
            os.kill(harness.pid, signal.SIGKILL)
            left = marked(mark, 0.5)
            # At most a sandbox that never got as far as its gate: no bot, and soon swept away.
            assert [line for line in left if not line.startswith("/usr/bin/bwrap")] == []
            sweep(SCRIPT)
            assert marked(mark) == []
