"""What the pages say is what the code has."""

from __future__ import annotations

import inspect
import re
import tomllib
from pathlib import Path

import pytest

from arena import hookspecs
from arena.cli.commands import COMMANDS
from arena.tournament.config import TournamentFile, check_tournament

ROOT = Path(__file__).parent.parent
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


def test_every_hook_stands_in_the_page_on_plugins():
    page = (ROOT / "docs/guide/plugins.md").read_text()
    hooks = [name for name, _ in inspect.getmembers(hookspecs) if name.startswith("arena_")]
    assert hooks
    assert sorted(re.findall(r"^\| `(arena_\w+)`", page, re.M)) == sorted(hooks)


def test_the_tournament_file_in_the_guide_is_one():
    page = (ROOT / "docs/guide/tournaments.md").read_text()
    example = re.search(r"```toml\n(.*?)```", page, re.S)
    assert example is not None
    content = tomllib.loads(example[1])
    check_tournament(content, where="docs/guide/tournaments.md")
    # Every setting there is stands in it, with its own name and no other.
    assert set(content) == set(TournamentFile.model_fields)
    for name, section in TournamentFile.model_fields.items():
        if isinstance(content[name], dict):
            assert inspect.isclass(section.annotation)
            assert set(content[name]) == set(section.annotation.model_fields), name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_setting_that_a_page_names_exists(page):
    sections = {
        name: field.annotation.model_fields
        for name, field in TournamentFile.model_fields.items()
        if inspect.isclass(field.annotation) and hasattr(field.annotation, "model_fields")
    }
    named = re.findall(rf"(?:--set |`)({'|'.join(sections)})\.(\w+)\b(?!\()", page.read_text())
    files = {"sqlite", "lock"}  # run.sqlite is no setting
    for section, key in named:
        assert key in sections[section].keys() | files, f"{section}.{key}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_that_a_page_shows_exists(page):
    shown = set(re.findall(r"(?:\./run|\barena) ([a-z]+)(?=[ `\n])", page.read_text()))
    prose = {
        "test",
        "import",
        "and",
        "is",
        "on",
        "to",
        "itself",
        "that",
        "knows",
        "has",
        "or",
        "alone",
    }
    assert shown - prose <= set(COMMANDS)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_to_a_file_leads_somewhere(page):
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text()):
        assert (page.parent / target).exists(), target
