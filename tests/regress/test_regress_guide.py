"""The guide says what the command does."""

import re
from pathlib import Path

import pytest
import typer

from arena.cli.app import build_app
from arena.regress.betting import BOLD_AFTER
from arena.regress.identity import identical_sets_needed
from arena.regress.terms import GUARDED, PRESETS, Terms
from arena.regress.verdict import EXIT_STATUS, Outcome
from benchmarks.cases import CASES, SPAN
from benchmarks.populations import PAIRS

GUIDE = (Path(__file__).parents[2] / "docs" / "guide" / "regress.md").read_text()


def options_of(command):
    found = typer.main.get_command(build_app(command)).commands[command]
    return {option for parameter in found.params for option in parameter.opts}


def test_every_option_in_the_guide_exists():
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", GUIDE))
    assert named <= options_of("regress") | options_of("bench")


@pytest.mark.parametrize("outcome", Outcome)
def test_the_guide_names_every_verdict_with_its_exit_status(outcome):
    assert f"| {EXIT_STATUS[outcome]} | `{outcome.value}` |" in GUIDE


def test_the_tables_have_a_line_for_every_case_and_every_pair_of_players():
    for case in CASES:
        assert f"| {case.name}{'' if case.held else ' *'} |" in GUIDE
    for name in PAIRS:
        for deals in (1, 4):
            assert len(re.findall(rf"^\| {name} \| {deals} \|", GUIDE, re.MULTILINE)) == 3
        assert re.search(rf"^\| {name} \| \d+% \| [\d,]+ \| \d\.\d \|", GUIDE, re.MULTILINE)


def test_the_figures_in_the_text_are_those_of_the_code():
    needed = identical_sets_needed(Terms(*PRESETS["no-regression"], span=SPAN))
    assert f"identical on {needed} deal sets" in " ".join(GUIDE.split())
    assert f"counts until {BOLD_AFTER} sets have differed" in " ".join(GUIDE.split())
    assert f"survives {GUARDED:g} points of one deal" in " ".join(GUIDE.split())
    for name, (m0, m1) in PRESETS.items():
        cells = re.escape(f"| {m0:g} | {m1:+g} |")
        assert re.search(rf"`--{name}`.*{cells}", GUIDE)
