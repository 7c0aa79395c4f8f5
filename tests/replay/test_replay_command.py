"""`arena replay` through a pseudo-terminal, and as plain lines."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pexpect

from tests.replay.conftest import Terminal

LEFT, RIGHT, UP, DOWN = "\x1b[D", "\x1b[C", "\x1b[A", "\x1b[B"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "arena", "replay", *arguments],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


def test_keys_step_through_a_match_and_leave_the_terminal_as_it_was(
    terminal: Terminal, records_file: Path
) -> None:
    child = terminal("replay", str(records_file), "3-2", "--deal", "2", "--trick", "7")
    child.expect("Match 3-2 · deal 2 of 2 · trick 7, card 1")
    for key, expected in (
        (RIGHT, "trick 7, card 2"),
        (DOWN, "trick 8, card 1"),
        (UP, "trick 7, card 1"),
        (LEFT, "trick 6 is over"),
        ("[", "deal 2 of 2 · call 1 of 4"),
        ("[", "deal 1 of 2 · call 1 of 4"),
        ("]", "deal 2 of 2 · call 1 of 4"),
        ("2", "13 cards"),
        ("a", "cem"),
    ):
        child.send(key)
        child.expect(expected)
    child.send("\x1b[F")
    child.expect("the deal is over")
    child.send("q")
    child.expect(r"\x1b\[\?1049l")  # the screen of before comes back
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 0


def test_without_a_terminal_there_are_plain_lines(records_file: Path) -> None:
    done = run(str(records_file), "3-1", "--deal", "2")
    assert done.returncode == 0
    assert done.stdout.startswith("deal 2, dealer ")
    assert "\x1b" not in done.stdout
    assert len([line for line in done.stdout.splitlines() if "won by" in line]) == 13


def test_a_hostile_record_is_harmless_in_a_terminal(
    terminal: Terminal, hostile_record: dict[str, Any], tmp_path: Path
) -> None:
    file = tmp_path / "hostile.jsonl"
    file.write_bytes(orjson.dumps(hostile_record))
    child = terminal("replay", str(file), "--trick", "1")
    child.expect_exact("\\x1b[31mred")
    assert "\x1b]0;" not in child.before
    child.send("q")
    child.expect(pexpect.EOF)


def test_what_cannot_be_found_is_one_line_and_status_2(records_file: Path) -> None:
    for arguments, words in (
        ((str(records_file), "9-9"), "there is no match '9-9'"),
        ((str(records_file),), "there are several matches here"),
        (("/nowhere", "1"), "cannot be read"),
    ):
        done = run(*arguments)
        assert done.returncode == 2
        assert words in done.stderr
        assert len(done.stderr.splitlines()) == 1
