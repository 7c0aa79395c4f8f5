"""`arena check`: what a person sees, what a program reads, and the exit status."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from arena.bots.bundled import bundled_bots, bundled_names, bundled_sdk
from arena.bots.resolve import resolve
from arena.bots.scaffold import LANGUAGES, write_scaffold
from arena.bots.toolchain import missing_toolchain
from arena.cli.check import show
from arena.inspect.findings import CODES, Finding, Place
from arena.inspect.inspection import NAMES, Inspection
from arena.inspect.notebook import Measure
from arena.records import BotId
from arena.testing import check_bot

FLAWED = Path(__file__).parents[1] / "inspect" / "flawed"

HOSTILE = """\
import sys
sys.stdout.write("\\x1b[31m[bold red]hello[/] \\u202e\\x07\\n")
sys.stdout.flush()
sys.stderr.write("\\x1b]0;owned\\x07[blink]bye[/]\\n")
"""


def words(text: str) -> str:
    """The text as one line: where it was broken does not matter."""
    return " ".join(text.split())


def test_a_flaw_is_told_with_what_arrived_what_was_expected_and_the_mend(arena):
    done = arena("check", FLAWED / "prints.py", status=1)
    told = words(done.stdout)
    assert told.startswith("prints 0: not fit (1 error)")
    assert f"error: {CODES['prints'].title} (prints" in told
    assert "arrived my hand: AS QS 4S 2S" in told
    assert 'expected {"id":1,"action":2}' in told
    assert f"mend {CODES['prints'].mend}" in told
    assert done.stderr == ""


def test_a_fit_bot_is_told_so_with_its_measures(arena):
    told = words(arena("check", "random").stdout)
    assert told.startswith("random 1.0: fit to play")
    for measure in ("start", "slowest move", "slowest match", "memory at its peak", "leaving"):
        assert f" {measure} " in told
    assert "corners of the game reached: 13 of 13" in told


@pytest.mark.parametrize("width", [60, 100])
def test_the_report_fits_the_screen_and_has_no_trailing_space(width):
    place = Place(1, "main", 4, 13)
    findings = tuple(
        Finding(code, "word " * 30, place, "arrived" * 30, "x " * 60, "exit status 1", "log\n" * 3)
        for code in CODES
    )
    measures = {name: Measure(12_345.6, 1_000, place) for name in NAMES}
    report = Inspection(
        BotId("b" * 40, "v" * 40, "0"), "container", "master", findings, measures, {"a": True}
    )
    console = Console(width=width, file=StringIO(), highlight=False)
    show(console, report)
    lines = console.file.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    assert all(line == line.rstrip() for line in lines)
    for code in CODES.values():
        assert words(code.mend) in words("\n".join(lines))


def test_what_a_bot_writes_cannot_drive_the_terminal(arena, tmp_path):
    (tmp_path / "hostile.py").write_text(HOSTILE)
    for command in (
        ("check", "hostile.py"),
        ("match", "hostile.py", "random", "random", "random", "--deals", "1"),
    ):
        done = arena(*command, status=1 if command[0] == "check" else 0)
        told = done.stdout
        assert "[bold red]hello[/]" in told
        assert told.replace("\n", "").isprintable()


def test_json_is_all_of_standard_output(arena):
    done = arena("check", FLAWED / "wrong-id.py", "--json", "--unsandboxed", status=1)
    report = json.loads(done.stdout)
    assert report["fit"] is False
    assert report["sandbox"] == "none"
    assert [finding["code"] for finding in report["findings"]] == ["wrong-id"]


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        (("check", "randum"), "random"),
        (("check", "random", "--variant", "mastre"), "master"),
        (("check", "random", "random"), "unexpected"),
        (("check", "random", "--unsandboxed", "--sandbox", "bwrap"), "contradict"),
    ],
)
def test_wrong_use_of_check_is_one_line(arena, command, complaint):
    done = arena(*command, status=2)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert complaint in done.stderr


def test_the_kit_for_the_tests_of_a_bot_says_everything_that_is_wrong(cache, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    assert check_bot("random", sandbox="none").is_fit
    with pytest.raises(AssertionError) as error:
        check_bot(FLAWED / "malformed.py", sandbox="none")
    assert CODES["malformed"].mend in str(error.value)
    check_bot(FLAWED / "left-over.py", sandbox="none")
    with pytest.raises(AssertionError, match="left-over"):
        check_bot(FLAWED / "left-over.py", sandbox="none", warnings=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", bundled_names(bundled_bots()))
@pytest.mark.parametrize("variant", ["master", "bhoos"])
def test_every_bundled_bot_is_fit_and_can_be_played_again(arena, name, variant):
    if lack := missing_toolchain(resolve(name, bundled_bots())):
        pytest.skip(f"bot {name}: {lack}")
    report = json.loads(arena("check", name, "--json", "--variant", variant).stdout)
    assert report["fit"]
    assert all(report["corners"].values())
    flaws = {finding["code"] for finding in report["findings"]}
    assert not flaws & {"not-reproducible", "left-over", "stays-on-quit", "exit-status"}


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_bot_of_each_language_is_fit_at_once(arena, tmp_path, language):
    write_scaffold(f"new-{language}", language, tmp_path / language, bundled_sdk())
    if lack := missing_toolchain(resolve(str(tmp_path / language), bundled_bots())):
        pytest.skip(f"new {language} bot: {lack}")
    assert json.loads(arena("check", language, "--json").stdout)["fit"]
