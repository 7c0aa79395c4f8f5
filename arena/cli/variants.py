"""`arena variants`: the presets and their parameters, side by side."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from arena import plugins
from arena.cli import options
from arena.lookup import pick


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("variants")(variants)


def variants(
    game: Annotated[str, typer.Option(metavar="NAME", help="Which game.")] = "callbreak",
    as_json: options.Json = False,
) -> None:
    """List the named rule sets; any parameter can be changed in a tournament file."""
    presets = pick(plugins.games(plugins.build_manager()), game, "game").variants()
    if as_json:
        print(json.dumps({name: dict(parameters) for name, parameters in presets.items()}))
    else:
        Console().print(_table(presets))


def _table(presets: Mapping[str, Mapping[str, Any]]) -> Table:
    table = Table("parameter", *presets, box=None)
    keys = [key for key in next(iter(presets.values())) if key != "name"]
    for key in keys:
        table.add_row(key, *(_shown(key, parameters[key]) for parameters in presets.values()))
    return table


def _shown(key: str, value: object) -> str:
    if value is None:
        return "any" if key == "overtricks_allowed" else "none"
    return str(value).lower()
