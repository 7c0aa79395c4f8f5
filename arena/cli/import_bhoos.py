"""`arena import-bhoos`: game logs of the 2022 tournament as records."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import orjson
import typer

from arena import plugins
from arena.adapters.bhoos.game_log import read_logs
from arena.adapters.bhoos.imported import Imported, import_game
from arena.cli import options
from arena.cli.output import opened
from arena.errors import ConfigError
from arena.lookup import pick
from arena.report.escape import visible
from arena.words import counted


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("import-bhoos")(import_bhoos)


def import_bhoos(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE…", readable=False, help="Game logs: JSON, one or many a file."
        ),
    ],
    out: options.OutFile = None,
) -> None:
    """Turn game logs of the 2022 Callbreak tournament into records, each verified by the rules."""
    if out is not None and any(map(partial(_is_same, out), files)):
        raise ConfigError("is one of the game logs", where=str(out), mend="choose another --out")
    game = pick(plugins.games(plugins.build_manager()), "callbreak", "game")
    found = [import_game(name, log, game) for path in files for name, log in read_logs(path)]
    with opened(out) as target:
        for each in found:
            if each.record is not None and not each.differs:
                target.write(orjson.dumps(each.record.as_dict()) + b"\n")
    for game_found in found:
        print(visible(_told(game_found)), file=sys.stderr)
    if any(each.differs or each.record is None for each in found):
        raise typer.Exit(1)


def _is_same(out: Path, log: Path) -> bool:
    try:
        return out.samefile(log)
    except OSError:
        return False


def _told(found: Imported) -> str:
    if found.differs:
        return f"{found.name}: not imported: {found.differs}"
    if found.record is None:
        return f"{found.name}: not imported: no deal was played to its end"
    parts = [
        (len(found.record.deals), "deal", "deals"),
        (found.corrections, "correction by the server", "corrections by the server"),
        (found.cut_off, "deal cut off", "deals cut off"),
    ]
    return f"{found.name}: " + ", ".join(counted(*part) for part in parts if part[0])
