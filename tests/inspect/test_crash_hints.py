"""A bot that cannot run, or fails by itself, gets the hint that fits how it ended."""

from __future__ import annotations

import platform
import struct
from pathlib import Path

import pytest

from arena.bots.build import Workshop
from arena.inspect.crash import hint_for
from arena.inspect.inspection import inspect_bot
from arena.tournament.clock import SteadyClock
from tests.inspect.subjects import found, subject_of

FOREIGN = 183 if platform.machine() == "x86_64" else 62


def elf(machine: int) -> bytes:
    """The head of a program for that processor, and no more."""
    return b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHI", 2, machine, 1) + bytes(40)


CASES = {
    "crlf": (b"#!/usr/bin/env python3\r\nprint()\r\n", "ends with CR LF: save the file with LF"),
    "foreign": (elf(FOREIGN), "is machine code for"),
    "windows": (b"MZ" + bytes(100), "is a program for Windows: build it for Linux"),
    "interpreter": (b"#!/no/such/python\n", "asks for the interpreter '/no/such/python'"),
    "module": (b"#!/usr/bin/env python3\nimport nonesuch\n", "the module nonesuch is not there"),
    "syntax": (b"#!/usr/bin/env python3\ndef (\n", "correct the syntax error that the log names"),
    "exception": (b"#!/usr/bin/env python3\n1 / 0\n", "the program failed by itself"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_crash_gets_the_hint_that_fits_it(name: str, tmp_path: Path, workshop: Workshop) -> None:
    content, hint = CASES[name]
    bot = tmp_path / name
    bot.mkdir()
    (bot / "bot.toml").write_text(f'name = "{name}"\nversion = "1"\nrun = ["./go"]\n')
    (bot / "go").write_bytes(content)
    (bot / "go").chmod(0o755)
    finding = found(inspect_bot(subject_of(bot, workshop), SteadyClock()), "exited")
    assert hint in finding.mend, finding
    assert "\r" not in str(finding)


@pytest.mark.parametrize(
    ("log", "hint"),
    [
        ("Error: Cannot find module 'left-pad'", "ship node_modules in the bot's folder"),
        (
            "./go: error while loading shared libraries: libz.so.1: cannot open shared object",
            "the library libz.so.1 is not there",
        ),
        ("./go: /lib/libc.so.6: version `GLIBC_2.38' not found", "a newer system (GLIBC_2.38)"),
        ("thread 'main' panicked at src/main.rs:3:5", "the program failed by itself"),
        ("goodbye", ""),
    ],
)
def test_a_log_of_other_languages_is_understood(log: str, hint: str, workshop: Workshop) -> None:
    bot = subject_of(Path(__file__).parent / "flawed" / "exited.py", workshop).bot
    told = hint_for(bot, "exit status 1", log)
    assert hint in told
    assert bool(hint) == bool(told)
