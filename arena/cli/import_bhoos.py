"""`arena import-bhoos`: game logs of the 2022 tournament as records."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, TextIO

import typer

from arena import plugins
from arena.adapters.bhoos.game_log import read_logs
from arena.adapters.bhoos.imported import Imported, import_game
from arena.cli.watch import printable
from arena.errors import ConfigError


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("import-bhoos")(import_bhoos)


def import_bhoos(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE…", help="Game logs: JSON, one or many a file.")
    ],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Instead of stdout.")
    ] = None,
) -> None:
    """Turn game logs of the 2022 Callbreak tournament into records, each verified by the rules."""
    game = plugins.pick(plugins.games(plugins.build_manager()), "callbreak", "game")
    found = [import_game(name, log, game) for path in files for name, log in read_logs(path)]
    if out is None:
        _write(found, sys.stdout)
    else:
        try:
            with out.open("w", encoding="utf-8") as target:
                _write(found, target)
        except OSError as error:
            raise ConfigError(f"cannot be written: {error.strerror}", where=str(out)) from None
    for game_found in found:
        print(printable(_told(game_found)), file=sys.stderr)
    if any(each.differs or each.record is None for each in found):
        raise typer.Exit(1)


def _write(found: list[Imported], target: TextIO) -> None:
    for each in found:
        if each.record is not None and not each.differs:
            target.write(json.dumps(each.record.as_dict()) + "\n")


def _told(found: Imported) -> str:
    if found.differs:
        return f"{found.name}: not imported: {found.differs}"
    if found.record is None:
        return f"{found.name}: not imported: no deal was played to its end"
    parts = [
        _count(len(found.record.deals), "deal"),
        _count(found.corrections, "correction by the server"),
        _count(found.cut_off, "deal cut off"),
    ]
    return f"{found.name}: " + ", ".join(filter(None, parts))


def _count(number: int, thing: str) -> str:
    head, *rest = thing.split(" ", 1)
    word = head if number == 1 else head + "s"
    return " ".join([str(number), word, *rest]) if number else ""
