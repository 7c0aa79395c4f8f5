"""`arena new`: a folder with a bot that plays at once."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Annotated

import typer

from arena import plugins
from arena.bots.bundled import bundled_sdk
from arena.bots.manifest import MANIFEST
from arena.bots.scaffold import LANGUAGES, write_scaffold
from arena.cli.called import spoken
from arena.errors import ConfigError, writing
from arena.lookup import pick


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("new")(new)


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the bot and its folder.")],
    lang: Annotated[
        str, typer.Option(metavar="LANG", help=f"One of {', '.join(LANGUAGES)}.")
    ] = "python",
    folder: Annotated[
        Path | None,
        typer.Option(metavar="DIR", readable=False, help="Where it goes.", show_default="NAME"),
    ] = None,
    adapter: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="ADAPTER",
            help="NAME is the folder of a bot of another interface: write its bot.toml.",
        ),
    ] = None,
) -> None:
    """Write a new bot: source, tests, README, ready to play."""
    if adapter is not None:
        _adopt(Path(name), adapter)
        return
    target = Path(name) if folder is None else folder
    for path in write_scaffold(name, lang, target, bundled_sdk()):
        print(path)
    at = shlex.quote(str(target))
    print(spoken(f"\nNext: arena check {at}\n      arena match {at} random random random --watch"))


def _adopt(folder: Path, name: str) -> None:
    """Writes the manifest of an existing bot of another interface beside it."""
    adapter = pick(plugins.adapters(plugins.build_manager()), name, "adapter", where="--from")
    path = folder / MANIFEST
    if os.path.lexists(path):
        raise ConfigError("is there already", where=str(path), mend="remove it to write it anew")
    text = adapter.manifest(folder)
    with writing(path), path.open("x", encoding="utf-8") as file:  # new, and through no link
        file.write(text)
    print(spoken(f"{path}:\n\n{text}\nNext: arena check {shlex.quote(str(folder))}"))
