"""`man arena` and the site's page of commands say what `--help` says, and their readers can."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from arena.cli.commands import COMMANDS

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "man" / "arena.1"


@pytest.fixture
def make_manual(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    return importlib.import_module("make_manual")  # a script beside the pages


def in_own_words(page: str) -> str:
    """The page without what Typer adds to a help text in words of its own: `[default: 3]`."""
    return re.sub(r" *\[[^\[\]]*\]$", "", page, flags=re.M)


def test_the_manual_page_says_what_help_says(make_manual):
    hint = "write it again: python docs/make_manual.py"
    assert in_own_words(PAGE.read_text()) == in_own_words(make_manual.manual()), hint


def test_no_width_of_a_terminal_changes_the_manual(make_manual, monkeypatch):
    wide = make_manual.manual()
    monkeypatch.setenv("COLUMNS", "40")
    assert make_manual.manual() == wide


def test_every_command_and_option_stands_in_both(make_manual):
    page, reference = PAGE.read_text(), make_manual.reference()
    found = list(make_manual.commands())
    assert [command.name for command in found] == ["arena", *(f"arena {name}" for name in COMMANDS)]
    for command in found:
        assert f"## {command.name}\n" in reference
        for entries in command.groups.values():
            for entry in entries:
                assert f".B {entry.term}".replace("-", "\\-") in page
                assert entry.term.replace("|", "\\|") in reference


@pytest.mark.parametrize(
    ("reader", "command"),
    [
        ("groff", ["groff", "-man", "-K", "utf8", "-T", "utf8", "-ww", "-z", str(PAGE)]),
        ("mandoc", ["mandoc", "-T", "lint", "-W", "warning", str(PAGE)]),
        ("man", ["man", "--warnings=w", "-l", str(PAGE)]),
    ],
    ids=["groff", "mandoc", "man"],
)
def test_readers_of_manuals_complain_of_nothing(reader, command):
    if not shutil.which(reader):
        pytest.skip(f"this machine lacks {reader}")
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    said = [line for line in (done.stderr + done.stdout).splitlines() if "mandoc: " in line]
    complaints = [line for line in said if "missing date" not in line]  # it would age
    assert complaints == []
    if reader != "mandoc":
        assert (done.returncode, done.stderr) == (0, "")


def test_the_page_is_installed_where_man_looks():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    shared = settings["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert shared["docs/man/arena.1"] == "share/man/man1/arena.1"
