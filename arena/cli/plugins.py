"""`arena plugins`: what is loaded, and from where."""

from __future__ import annotations

import inspect
import json
from typing import Annotated, Any

import pluggy
import typer
from rich.console import Console
from rich.table import Table

from arena import hookspecs
from arena import plugins as loaded
from arena.cli import options

KINDS = {
    "game": "arena_games",
    "sandbox": "arena_sandboxes",
    "schedule": "arena_schedules",
    "rating": "arena_ratings",
    "executor": "arena_executors",
    "report format": "arena_report_formats",
    "adapter": "arena_adapters",
    "command": "arena_commands",
}
"""What plugins bring, and the hook by which."""


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("plugins")(plugins)


def plugins(
    hooks: Annotated[bool, typer.Option("--hooks", help="List the hooks instead.")] = False,
    as_json: options.Json = False,
) -> None:
    """List games, sandboxes, schedules, ratings, executors and formats, and who brings them."""
    rows = _hooks() if hooks else _things(loaded.build_manager())
    columns = ("hook", "for") if hooks else ("kind", "name", "brought by")
    if as_json:
        print(json.dumps([dict(zip(columns, row, strict=True)) for row in rows]))
        return
    table = Table(*columns, box=None)
    for row in rows:
        table.add_row(*row)
    Console().print(table)


def _hooks() -> list[tuple[str, ...]]:
    specs = inspect.getmembers(hookspecs, lambda thing: hasattr(thing, "arena_spec"))
    return [(name, (inspect.getdoc(spec) or "").splitlines()[0]) for name, spec in specs]


def _things(manager: pluggy.PluginManager) -> list[tuple[str, ...]]:
    return [
        (kind, _name(thing), bringer)
        for kind, hook in KINDS.items()
        for bringer, things in _brought(manager, hook)
        for thing in things
    ]


def _brought(manager: pluggy.PluginManager, hook: str) -> list[tuple[str, Any]]:
    # pluggy keeps implementations in reverse order of their calls; each is called by itself here.
    caller = getattr(manager.hook, hook)
    return [(impl.plugin_name, impl.function()) for impl in caller.get_hookimpls()]


def _name(thing: Any) -> str:
    return str(getattr(thing, "name", None) or getattr(thing, "info", thing))
