"""The organiser's toolchains: folders of this machine in which bots may name programs.

Every bot that names a program there sees the whole folder, so it must hold no run, no cache (where
the copies of all bots lie) and none of the bots.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from arena.bots.bot import Bot
from arena.bots.bundled import bundled_bots
from arena.errors import ConfigError

_MEND = "list a folder with an installation in it and nothing else"


def read_toolchains(texts: Iterable[str], relative_to: Path) -> tuple[Path, ...]:
    """The organiser's folders, resolved. Raises ConfigError for what is no folder, or is all."""
    found = []
    for text in texts:
        folder = (relative_to / Path(text).expanduser()).resolve()
        if not folder.is_dir() or folder == Path("/"):
            what = "the root folder is no toolchain" if folder == Path("/") else "is no folder"
            raise ConfigError(what, where=f"toolchain {text}", mend="name an installation's folder")
        found.append(folder)
    return tuple(dict.fromkeys(found))


def refuse_showing(toolchains: Sequence[Path], place: Path, name: str) -> None:
    """Raises ConfigError if a toolchain shows anything of a folder of ours, which `name` names."""
    real = place.resolve()
    for folder in toolchains:
        if real.is_relative_to(folder):
            raise _shows(folder, f"holds {name} ({real})")
        if folder.is_relative_to(real):
            raise _shows(folder, f"lies in {name} ({real})")


def refuse_showing_bots(toolchains: Sequence[Path], bots: Iterable[Bot]) -> None:
    """Raises ConfigError if a toolchain holds a bot. Everybody has the bundled ones."""
    for bot in bots:
        real = (bot.folder / bot.only).resolve()
        if real.is_relative_to(bundled_bots().resolve()):
            continue
        for folder in toolchains:
            if real.is_relative_to(folder):
                raise _shows(folder, f"holds the bot {bot.name} ({real})")


def _shows(folder: Path, what: str) -> ConfigError:
    return ConfigError(
        f"{what}, which other bots would see", where=f"toolchain {folder}", mend=_MEND
    )
