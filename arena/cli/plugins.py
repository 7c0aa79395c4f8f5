"""`arena plugins`: what is loaded, and from where."""

from __future__ import annotations

import inspect
import json
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from arena import hookspecs
from arena import plugins as loaded
from arena.cli import options
from arena.kinds import KINDS


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("plugins")(plugins)


def plugins(
    hooks: Annotated[bool, typer.Option("--hooks", help="List the hooks instead.")] = False,
    as_json: options.Json = False,
) -> None:
    """List games, sandboxes, schedules, ratings, executors and formats, and who brings them."""
    manager = loaded.build_manager(tolerant=True)
    rows = _hooks() if hooks else _things(manager)
    columns = ("hook", "for") if hooks else ("kind", "name", "brought by", "of package")
    broken = [(b.plugin, b.package, b.error.what) for b in manager.broken]
    if as_json:
        document = [dict(zip(columns, row, strict=True)) for row in rows]
        document += [
            {"kind": "broken", "name": "", "brought by": name, "of package": package, "error": what}
            for name, package, what in broken
        ]
        print(json.dumps(document))
        return
    table = Table(*columns, box=None)
    for row in rows:
        table.add_row(*map(escape, row))
    Console().print(table)
    for each in manager.broken:
        Console(stderr=True).print(f"broken: {each.error}", markup=False, soft_wrap=True)


def _hooks() -> list[tuple[str, ...]]:
    specs = inspect.getmembers(hookspecs, lambda thing: hasattr(thing, "arena_spec"))
    return [(name, (inspect.getdoc(spec) or "").splitlines()[0]) for name, spec in specs]


def _things(manager: loaded.Manager) -> list[tuple[str, ...]]:
    return [
        (
            kind.name,
            str(getattr(thing, "name", "") or loaded.command_name(thing)),
            plugin,
            manager.packages.get(plugin, ""),
        )
        for kind in KINDS
        for plugin, thing in manager.brought(kind)
    ]
