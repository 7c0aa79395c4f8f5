"""`arena cache`: how large the cache is; `--prune` cuts it."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from arena.cache import KINDS, cache_folder
from arena.cli import options
from arena.errors import ConfigError
from arena.pruning import Entry, entries, prune
from arena.words import counted

_DAY_S = 86_400
_MB = 1_000_000


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("cache")(cache)


def cache(
    cut: Annotated[
        bool, typer.Option("--prune", help="Remove entries, but none that is in use.")
    ] = False,
    older_than: Annotated[
        float | None,
        typer.Option(min=0, metavar="DAYS", help="Prune only what was not used for so long."),
    ] = None,
    max_mb: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Prune only until no more than that is left."),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Show how large the cache of built bots and reports is; cut it with --prune."""
    if not cut and (older_than is not None or max_mb is not None):
        raise ConfigError("--older-than and --max-mb say what to prune", mend="add --prune")
    folder = cache_folder()
    removed: Sequence[Entry] = ()
    if cut:
        removed = prune(
            folder,
            unused_s=None if older_than is None else older_than * _DAY_S,
            most_bytes=None if max_mb is None else max_mb * _MB,
        )
    left = entries(folder)
    if as_json:
        print(json.dumps(_document(folder, left, removed if cut else None)))
        return
    console = Console(highlight=False, soft_wrap=True)
    if cut:
        console.print(f"removed {counted(len(removed), 'entry', 'entries')}, {_mb(removed)} MB\n")
    console.print(_table(left))
    console.print(f"\nin {folder}", markup=False)


def _table(left: Sequence[Entry]) -> Table:
    table = Table("", box=None)
    for heading in ("entries", "MB", "in use", "oldest use"):
        table.add_column(heading, justify="right")
    for name in (*KINDS, "all"):
        some = [entry for entry in left if name in (entry.kind, "all")]
        in_use = sum(entry.held for entry in some)
        table.add_row(name, str(len(some)), _mb(some), str(in_use), _age(some))
    return table


def _mb(some: Sequence[Entry]) -> str:
    return f"{_bytes(some) / _MB:,.1f}"


def _age(some: Sequence[Entry]) -> str:
    if not some:
        return "-"
    days = max(0, int((time.time() - min(entry.used for entry in some)) // _DAY_S))
    return f"{counted(days, 'day')} ago" if days else "today"


def _bytes(some: Sequence[Entry]) -> int:
    return sum(entry.size_bytes for entry in some)


def _document(
    folder: Path, left: Sequence[Entry], removed: Sequence[Entry] | None
) -> dict[str, Any]:
    kinds = {name: _facts([entry for entry in left if entry.kind == name]) for name in KINDS}
    document = {"folder": str(folder), **_facts(left), "kinds": kinds}
    if removed is not None:
        document["removed"] = {"entries": len(removed), "bytes": _bytes(removed)}
    return document


def _facts(some: Sequence[Entry]) -> dict[str, Any]:
    oldest = min((entry.used for entry in some), default=None)
    return {
        "entries": len(some),
        "bytes": _bytes(some),
        "in_use": sum(entry.held for entry in some),
        "oldest": None if oldest is None else datetime.fromtimestamp(oldest, UTC).isoformat(),
    }
