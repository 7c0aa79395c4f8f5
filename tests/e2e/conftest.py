"""Runs the `arena` command as a person does: a process of its own, in a folder of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Arena = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def arena(tmp_path, cache, commands) -> Arena:
    """`arena(*words, status=0)`: runs it, checks the exit status, gives what it printed."""

    def call(*words: str, status: int = 0) -> subprocess.CompletedProcess[str]:
        done = commands.run([*map(str, words)], cwd=tmp_path, env=environment(cache))
        assert done.returncode == status, f"{words}: {done.stdout}\n{done.stderr}"
        ours = [line for line in done.stderr.splitlines() if line.startswith("Traceback")]
        assert not ours, done.stderr  # a bot's own, as evidence, is indented
        return done

    return call


def environment(cache: Path) -> dict[str, str]:
    """The environment of the tests, with a cache of its own and the path that found `arena`."""
    return {
        **os.environ,
        "XDG_CACHE_HOME": str(cache),
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "COLUMNS": "100",
    }
