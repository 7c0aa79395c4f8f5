"""Which programs of this machine a bot needs, and whether they are there."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from arena.bots.bot import Bot
from arena.errors import SandboxError
from arena.sandbox.interpreters import find

PACKAGES: Mapping[str, str] = MappingProxyType(
    {
        "cargo": "cargo",
        "g++": "g++",
        "gcc": "gcc",
        "go": "golang-go",
        "java": "default-jre-headless",
        "javac": "default-jdk-headless",
        "make": "make",
        "node": "nodejs",
        "python3": "python3",
        "rustc": "rustc",
    }
)
"""The Debian package that brings a program."""


IN_IMAGES = "container"
"""The sandbox in which a bot runs in the image that it names; in all others with our programs."""


@dataclass(frozen=True, slots=True)
class Host:
    """Where programs are found on this machine: a PATH (the process's own unless given), and the
    organiser's toolchains. `images`: a bot that names an image is run with what is in that."""

    toolchains: tuple[Path, ...] = ()
    search_path: str | None = None
    images: bool = False


def missing_toolchain(bot: Bot, host: Host = Host()) -> str | None:
    """Why this machine cannot build or run the bot, with the remedy; None if it can."""
    built = bot.build[:1] if not bot.ready else ()
    # The program of an image is none of ours; builds use this machine's all the same.
    run = () if bot.image and host.images else bot.run[:1]
    lacking = (_lack(command, host.search_path, host.toolchains) for command in (*built, *run))
    return next(filter(None, lacking), None)


def fingerprint(
    command: str, search_path: str | None = None, toolchains: Sequence[Path] = ()
) -> str:
    """A text that changes when the program behind `command` does; empty if it is the bot's own."""
    if "/" in command and not os.path.isabs(command):
        return ""
    real = Path(find(command, _path(search_path), toolchains).path).resolve()
    status = real.stat()
    return f"{real}:{status.st_size}:{status.st_mtime_ns}"


def _lack(command: str, search_path: str | None, toolchains: Sequence[Path]) -> str | None:
    if "/" in command and not os.path.isabs(command):
        return None
    try:
        find(command, _path(search_path), toolchains)
    except SandboxError as error:
        package = PACKAGES.get(command)
        remedy = f"apt install {package}" if package else error.mend
        return f"{command}: {error.what} ({remedy})"
    return None


def _path(search_path: str | None) -> str:
    return os.environ.get("PATH", os.defpath) if search_path is None else search_path
