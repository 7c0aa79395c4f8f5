"""A hint that fits how a program ended: from its exit status, its last lines and its own file.

Theory of operation. A shell and `execve` say the same for a missing program, a script whose first
line ends with CR LF and a machine code for another processor: 126 or 127 and a line in words of
their own. The program's file tells these apart for certain, so it is read; the log is asked last.
"""

from __future__ import annotations

import platform
import re
import struct
from pathlib import Path

from arena.bots.bot import Bot
from arena.bots.bundle import ELF

_HEAD_BYTES = 4096
_CANNOT_RUN = re.compile(r"\b(126|127)\b")
_MACHINES = {3: "i386", 40: "arm", 62: "x86_64", 183: "aarch64", 243: "riscv64"}
"""What the ELF header calls the processors that bots are likely to be compiled for."""

_LOGGED: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(r"No module named '?([\w.]+)"),
        "the module {0} is not there for the bot: ship it in the bot's folder, or list its "
        "virtual environment as a toolchain",
    ),
    (
        re.compile(r"Cannot find (?:module|package) '([^']+)'"),
        "the module {0} is not there for the bot: ship node_modules in the bot's folder",
    ),
    (
        re.compile(r"error while loading shared libraries: ([^:\s]+)"),
        "the library {0} is not there for the bot: link it statically, or ship it in the bot's "
        "folder",
    ),
    (
        re.compile(r"version `(GLIBC_[\d.]+)' not found"),
        "it was linked on a newer system ({0}): build it here (`build` in bot.toml)",
    ),
    (re.compile(r"\bSyntaxError\b"), "correct the syntax error that the log names"),
    (
        re.compile(r"Traceback \(most recent call last\)|^panic:|panicked at|Exception in thread"),
        "the program failed by itself: the log says at which line, and why",
    ),
)


def hint_for(bot: Bot, status: str, log: str) -> str:
    """How to get the program to run, in words; empty if nothing is known beyond that it ended.

    `status` is the end in words as a finding has it, `log` the last lines of standard error.
    """
    if _CANNOT_RUN.search(status) and (hint := _of_file(bot)):
        return hint
    for pattern, hint in _LOGGED:
        if found := pattern.search(log):
            return hint.format(*found.groups())
    return ""


def _of_file(bot: Bot) -> str:
    """What is wrong with the file that is to be run; empty if it is not the bot's own or looks
    right."""
    path = bot.folder / bot.run[0]
    name = ascii(bot.run[0])[1:-1]
    if bot.image or "/" not in bot.run[0] or Path(bot.run[0]).is_absolute():
        return ""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError:
        return f"{name} is not among the bot's files: correct `run` in bot.toml"
    if head.startswith(b"#!"):
        return _of_script(name, head.split(b"\n", 1)[0])
    if head.startswith(ELF):
        return _of_machine_code(name, head)
    if head[:2] == b"MZ" or head[:4] in _MACH_O:
        system = "Windows" if head[:2] == b"MZ" else "macOS"
        return f"{name} is a program for {system}: build it for Linux (`build` in bot.toml)"
    return f"{name} has no #! line and is no program: put its interpreter first into `run`"


_MACH_O = frozenset(
    bytes.fromhex(magic) for magic in ("feedface", "feedfacf", "cefaedfe", "cffaedfe", "cafebabe")
)


def _of_script(name: str, first: bytes) -> str:
    if first.endswith(b"\r"):
        return f"the first line of {name} ends with CR LF: save the file with LF line ends"
    interpreter = ascii(first[2:].decode("utf-8", "replace").strip())
    return (
        f"{name} asks for the interpreter {interpreter}, which the bot does not see: correct its "
        "#! line, or install it"
    )


def _of_machine_code(name: str, head: bytes) -> str:
    here = platform.machine()
    if len(head) < 20:
        return f"{name} is damaged: build it again (`build` in bot.toml)"
    order = "<" if head[5] == 1 else ">"
    (number,) = struct.unpack_from(f"{order}H", head, 18)
    machine = _MACHINES.get(number, f"machine {number}")
    if machine == here:
        return (
            f"{name} was linked for another Linux (its loader is not here): build it here "
            "(`build` in bot.toml)"
        )
    return (
        f"{name} is machine code for {machine}, and this is {here}: build it here "
        "(`build` in bot.toml)"
    )
