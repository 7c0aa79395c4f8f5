"""The toolchains of this machine, for bots in any language."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass

from arena.bots.toolchain import PACKAGES
from arena.errors import SandboxError
from arena.process import ask
from arena.sandbox.interpreters import find

TOOLS = (
    ("C", "gcc", "--version"),
    ("C++", "g++", "--version"),
    ("Go", "go", "version"),
    ("Java", "java", "--version"),
    ("Java", "javac", "--version"),
    ("JavaScript", "node", "--version"),
    ("TypeScript", "tsc", "--version"),
    ("Python", "python3", "--version"),
    ("Rust", "cargo", "--version"),
    ("Rust", "rustc", "--version"),
    ("", "make", "--version"),
)
"""Language, program, and the word that makes it tell its version."""

ASK_S = 20.0


@dataclass(frozen=True, slots=True)
class Tool:
    """A program that bots need. `path` is the real one, behind any shim; empty if it is lacking,
    and then `remedy` says how to get it."""

    language: str
    command: str
    path: str = ""
    version: str = ""
    remedy: str = ""


def survey(search_path: str | None = None) -> list[Tool]:
    """What is there and what is not, in the order of TOOLS."""
    path = os.environ.get("PATH", os.defpath) if search_path is None else search_path
    return [_look(language, command, word, path) for language, command, word in TOOLS]


def _look(language: str, command: str, word: str, path: str) -> Tool:
    try:
        found = find(command, path)
    except SandboxError as error:
        package = PACKAGES.get(command)
        remedy = f"apt install {package}" if package else error.mend
        # A shim without a program behind it is on PATH, yet installing would not help.
        return Tool(
            language, command, remedy=error.mend if shutil.which(command, path=path) else remedy
        )
    told = ask([found.path, word], timeout_s=ASK_S, env={"PATH": path})
    first = (told.out or told.err).splitlines()[:1]
    return Tool(language, command, found.path, *first)
