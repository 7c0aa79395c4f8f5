"""How the user calls us, so that a command which a text suggests can be pasted as it is."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from pathlib import Path

from arena.cli.commands import COMMANDS

VARIABLE = "ARENA_CALLED_AS"
"""`./run` hands its own name on in it: its user's shell knows no `arena`."""

_NAMED = re.compile(rf"(?<![\w./-])arena(?= (?:--help|{'|'.join(COMMANDS)})(?![\w-]))")


def name() -> str:
    """What the user types for `arena`; its path if PATH leads to none, or to another one."""
    if given := os.environ.get(VARIABLE):
        return shlex.quote(given)
    program, found = sys.argv[0], shutil.which("arena")
    known = Path(program).name != "arena" or (found and os.path.samefile(found, program))
    return "arena" if known else shlex.quote(program)


def command_line(*, without: str = "") -> str:
    """The words that we were called with, for a shell; `without` is a word to leave out."""
    return f"{name()} {shlex.join(word for word in sys.argv[1:] if word != without)}"


def spoken(text: str) -> str:
    """The text with our name in its commands as the user types it."""
    return _NAMED.sub(lambda found: name(), text) if "arena " in text else text
