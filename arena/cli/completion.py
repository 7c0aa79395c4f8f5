"""Completion by Tab: what Typer's own has to be helped with."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

_LINE_OF = ("COMP_WORDS", "_TYPER_COMPLETE_ARGS")
"""Variables in which a shell hands over the line that it wants completed: bash; zsh and fish."""

_ZSH = "source ~/.zfunc/_arena  # zsh itself takes arena for the browser of that name\n"


def is_asked() -> bool:
    """True if a shell asks how a line could go on."""
    return "_ARENA_COMPLETE" in os.environ


def line() -> Sequence[str]:
    """The words after `arena` of the line that a shell wants completed."""
    given = [os.environ[name] for name in _LINE_OF if os.environ.get(name)]
    return given[0].split()[1:] if given and is_asked() else []


def settle_with_zsh() -> None:
    """zsh uses the completion that was installed: its own for the name `arena` would be first."""
    if not Path("~/.zfunc/_arena").expanduser().exists():
        return
    settings = Path("~/.zshrc").expanduser()
    before = settings.read_text(errors="surrogateescape") if settings.exists() else ""
    if _ZSH not in before:
        with settings.open("a") as file:
            file.write(f"{'' if before.endswith(chr(10)) or not before else chr(10)}{_ZSH}")
