"""Whatever becomes of the standard streams, the end is one line or none, and never a traceback."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys

import pytest

MATCH = "match random random random random --deals 1"
RUN = "run random counting --orbits 1 --deals 1"
PRINTING = (
    "rules",
    "variants",
    "plugins",
    "schema record",
    "match --help",
    "--version",
    "board records.jsonl",
    "board records.jsonl --format json",
    "verify records.jsonl",
    "export run",
    f"{MATCH} --record -",
    f"{MATCH} --watch",
)
"""Commands whose output is their purpose."""

A_FEW = ("match --help", "export run", f"{MATCH} --watch")
"""One of each way to print: Typer's, bytes, Rich's."""


@pytest.fixture(scope="module")
def place(tmp_path_factory, cache):
    """A folder with a run and with records."""
    folder = tmp_path_factory.mktemp("streams")
    assert _shell(f"{_arena(RUN)} --out run", folder, cache).returncode == 0
    assert _shell(f"{_arena(MATCH)} --record records.jsonl", folder, cache).returncode == 0
    return folder


@pytest.fixture
def shell(place, cache):
    """`shell(command, stream)`: what bash says of `arena COMMAND STREAM`."""
    return lambda command, streams="", **env: _shell(_arena(command) + streams, place, cache, **env)


def _arena(words: str) -> str:
    return f"{shlex.quote(sys.executable)} -m arena {words}"


def _shell(line, folder, cache, **env):
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        cwd=folder,
        env={
            **os.environ,
            "XDG_CACHE_HOME": str(cache),
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            **env,
        },
        capture_output=True,
        text=True,
        errors="replace",
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    ("command", "stream"),
    [*((command, " >/dev/full") for command in PRINTING), *((c, " >&-") for c in A_FEW)],
)
def test_a_result_that_cannot_be_written_is_one_line(shell, command, stream):
    done = shell(command, stream)
    assert done.returncode == 2
    assert done.stderr.startswith("arena: stdout: cannot be written: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("command", A_FEW)
def test_a_reader_may_leave(shell, command):
    done = shell(command, " | true")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("stream", [" 2>/dev/full", " 2>&-"])
def test_a_run_goes_on_without_anybody_to_talk_to(shell, stream, tmp_path):
    done = shell(f"{RUN} --out {tmp_path}/silent", stream)
    assert done.returncode == 0
    assert "2 matches in 1 deal set" in done.stdout
    assert done.stderr == ""


def test_a_closed_stderr_puts_nothing_into_a_record(shell):
    done = shell(f"{MATCH} --record -", " 2>&-")
    assert done.returncode == 0
    assert json.loads(done.stdout)["record"] == 1


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize("command", ["match --help", "board records.jsonl"])
def test_any_encoding_will_do(shell, command, encoding):
    done = shell(command, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, "")
