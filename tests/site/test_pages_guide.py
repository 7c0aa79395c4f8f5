"""docs/guide/pages.md says what the pages and commands do."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs/guide/pages.md").read_text()
STATIC = ROOT / "arena/report/site/static"


def test_the_keys_of_the_guide_are_those_of_the_viewer_and_of_its_help() -> None:
    section = GUIDE.partition("## The replay viewer")[2].partition("\n\nThe address")[0]
    told = {key for line in section.splitlines() if line.startswith("| `")
            for key in re.findall(r"`([^`]+)`", line.split("|")[1])}  # fmt: skip
    help_keys = set(re.findall(r"<kbd>([^<]+)</kbd>", _template("replay.html")))
    assert told == help_keys
    script = (STATIC / "replay.js").read_text()
    names = {"←": "ArrowLeft", "→": "ArrowRight", "Shift": "Shift+ArrowLeft", "Space": '" "'}
    for key in told:
        assert names.get(key, key) in script, key


def _template(name: str) -> str:
    return (STATIC.parent / "templates" / name).read_text()


@pytest.mark.parametrize("line", re.findall(r"^arena (.*?)(?: +#.*)?$", GUIDE, re.M))
def test_every_command_line_of_the_guide_is_understood(line: str) -> None:
    command, *words = line.split()
    options = {word for word in words if word.startswith("--")}
    done = subprocess.run(
        [sys.executable, "-m", "arena", command, "--help"],
        capture_output=True, text=True, check=False, timeout=60,
        env={"COLUMNS": "200", "PATH": "/usr/bin:/bin", "TERM": "dumb"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert options <= set(re.findall(r"--[a-z-]+", done.stdout))
