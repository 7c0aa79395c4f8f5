"""`arena rules`: the rules in plain words."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.markdown import Markdown

from arena import plugins
from arena.lookup import pick


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("rules")(rules)


def rules(
    variant: Annotated[
        str | None, typer.Option(metavar="NAME", help="Which variant.", show_default="master")
    ] = None,
    game: Annotated[str, typer.Option(metavar="NAME", help="Which game.")] = "callbreak",
) -> None:
    """Print the rules of the game, as the engine plays them."""
    found = pick(plugins.games(plugins.build_manager()), game, "game")
    text = found.rules_text(found.variant(variant or next(iter(found.variants()))))
    console = Console()
    if console.is_terminal:
        console.print(Markdown(text))
    else:
        print(text)
