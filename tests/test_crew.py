"""A test run on several cores: quiet tests run alone, long ones when asked, and progress shows."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
INI = """[pytest]
pythonpath = .
addopts = --import-mode=importlib -n auto --dist loadgroup --max-worker-restart 0
markers =
    browser: x
    long: x
    quiet: x
    slow: x
"""
SUBJECTS = """
import time, pytest

def span(name):
    began = time.monotonic()
    time.sleep(0.05)
    with open("spans", "a") as file:
        file.write(f"{name} {began} {time.monotonic()}\\n")

@pytest.mark.parametrize("n", range(30))
def test_loud(n):
    span("loud")

@pytest.mark.quiet
@pytest.mark.parametrize("n", range(5))
def test_quiet(n):
    span("quiet")

@pytest.mark.long
def test_long():
    span("long")

def test_made_once(made_once):
    made_once("dear", lambda folder: span("made"))

def test_made_by_another(made_once):
    made_once("dear", lambda folder: span("made"))

@pytest.mark.quiet
def test_bad():
    assert 0

def test_skip():
    pytest.skip("no go here")
"""

DYING = """
import os, pytest

@pytest.mark.parametrize("n", range(12))
def test_some(n):
    if n == 6:
        os.kill(os.getpid(), 9)
"""

STUCK = """
import time

def test_reached(tmp_path):
    (tmp_path / "reached").touch()
    time.sleep(600)

def test_ends(tmp_path):
    (tmp_path / "file").touch()
"""


def copied(folder: Path) -> Path:
    """The folder, with tests of its own and our way of running them."""
    (folder / "tests").mkdir()
    for name in ("commands.py", "conftest.py", "crew.py", "progress.py"):
        shutil.copy(HERE / name, folder / "tests")
    (folder / "pytest.ini").write_text(INI)
    (folder / "tests" / "test_subjects.py").write_text(SUBJECTS)
    return folder


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    return copied(tmp_path)


@pytest.fixture(scope="module")
def a_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A suite that was run by three workers, and what that said."""
    folder = copied(tmp_path_factory.mktemp("suite"))
    return folder, run(folder, "-n", "3", "tests", "-ra", status=1).splitlines()


def command(*options: str) -> list[str]:
    return [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options]


def environment() -> dict[str, str]:
    """As if no test ran it."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}


def ended(suite: Path, *options: str, status: int) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        command(*options), cwd=suite, env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done


def run(suite: Path, *options: str, status: int = 0) -> str:
    return ended(suite, *options, status=status).stdout


def spans(suite: Path) -> list[tuple[str, float, float]]:
    lines = [line.split() for line in (suite / "spans").read_text().splitlines()]
    return [(name, float(began), float(ended)) for name, began, ended in lines]


def test_a_quiet_test_runs_while_no_other_does(a_run: tuple[Path, list[str]]) -> None:
    all_spans = spans(a_run[0])
    quiet = [span for span in all_spans if span[0] == "quiet"]
    assert len(quiet) == 5
    for one in quiet:
        for other in all_spans:
            assert other is one or other[2] <= one[1] or other[1] >= one[2]
    loud = sorted(span[1:] for span in all_spans if span[0] == "loud")
    assert any(later[0] < earlier[1] for earlier, later in pairwise(loud))


def test_a_path_without_tests_is_named(suite: Path) -> None:
    done = ended(suite, "-n", "2", "tests/nothing.py", status=pytest.ExitCode.USAGE_ERROR)
    assert "not found: " in done.stderr
    assert "INTERNALERROR" not in done.stdout


def test_what_is_dear_is_made_once_for_all_workers(a_run: tuple[Path, list[str]]) -> None:
    assert [span[0] for span in spans(a_run[0])].count("made") == 1


def test_what_fails_is_told_at_once_and_what_is_left_out_by_name(
    a_run: tuple[Path, list[str]],
) -> None:
    folder, lines = a_run
    assert "failed: tests/test_subjects.py::test_bad" in lines
    assert any(line.startswith("FAILED tests/test_subjects.py::test_bad") for line in lines)
    assert any(line.startswith("SKIPPED") and "no go here" in line for line in lines)
    assert "39/39 tests, 1 failed, all done" in lines
    assert "LEFT OUT without --long: 1 long forms" in lines
    assert "  tests/test_subjects.py::test_long" in lines
    assert "long" not in (folder / "spans").read_text()
    assert re.fullmatch(r"=+ 1 failed, 37 passed, 1 skipped in .*=+", lines[-1])


def test_long_forms_run_when_asked_for_and_a_file_runs_without_workers(suite: Path) -> None:
    shown = run(suite, "-v", "--long", "tests/test_subjects.py", "-k", "long")
    assert " 1 passed" in shown
    assert "workers" not in shown
    assert "long" in (suite / "spans").read_text()


def test_a_terminal_shows_a_bar_with_a_count_and_the_time_left(suite: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command("tests"), cwd=suite, env={**environment(), "TERM": "xterm"},
        stdout=theirs, stderr=theirs,
    ) as process:  # fmt: skip
        os.close(theirs)
        shown = b""
        while piece := read(ours):
            shown += piece
    os.close(ours)
    assert process.returncode == 1
    assert shown.startswith(b"\r\x1b[Kcollecting the tests")
    assert re.search(r"━*·+ \d+/39 tests, about \d+ s left", shown.decode())


def test_a_worker_that_dies_is_named_and_ends_the_run(suite: Path) -> None:
    (suite / "tests/test_dying.py").write_text(DYING)
    shown = run(suite, "-n", "2", "tests/test_dying.py", status=pytest.ExitCode.INTERRUPTED)
    assert "crashed while running 'tests/test_dying.py::test_some[6]'" in shown


def test_the_time_left_is_judged_by_the_run_before(suite: Path) -> None:
    (suite / "tests/test_slept.py").write_text(
        "import time\n\ndef test_it():\n    time.sleep(0.2)\n"
    )
    words = [sys.executable, "-m", "pytest", "-n", "1", "tests/test_slept.py"]
    subprocess.run(words, cwd=suite, env=environment(), capture_output=True, check=True)
    (kept,) = suite.glob(".pytest_cache/v/arena/durations")
    assert json.loads(kept.read_text())["tests/test_slept.py::test_it"] >= 0.2


def read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # the other end is closed
        return b""


def test_neither_a_finished_run_nor_a_killed_one_leaves_anything(suite: Path) -> None:
    (temporary := suite / "tmp").mkdir()
    env = {**environment(), "TMPDIR": str(temporary)}
    (suite / "tests/test_stuck.py").write_text(STUCK)
    options = ("-n", "1", "tests/test_stuck.py", "-k")
    with subprocess.Popen(command(*options, "reached"), cwd=suite, env=env) as process:
        while not list(temporary.rglob("reached")):
            assert process.poll() is None
            time.sleep(0.05)
        process.kill()
    subprocess.run([sys.executable, "-m", "arena", "rules"], env=env, check=True)
    assert list(temporary.iterdir()) == []
    subprocess.run(command(*options, "ends"), cwd=suite, env=env, check=True)
    assert list(temporary.iterdir()) == []
