"""`arena new`: a folder with a bot that plays at once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.bots.bundled import bundled_sdk
from arena.bots.scaffold import LANGUAGES, write_scaffold


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("new")(new)


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the bot and its folder.")],
    lang: Annotated[
        str, typer.Option(metavar="LANG", help=f"One of {', '.join(LANGUAGES)}.")
    ] = "python",
    folder: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where it goes; NAME unless given.")
    ] = None,
) -> None:
    """Write a new bot: source, tests, README, ready to play."""
    target = Path(name) if folder is None else folder
    for path in write_scaffold(name, lang, target, bundled_sdk()):
        print(path)
    print(f"\nNext: arena check {target}\n      arena match {target} random random random --watch")
