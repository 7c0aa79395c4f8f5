"""`arena match`: one match between four bots."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import orjson
import typer
from rich.console import Console
from rich.table import Table

from arena import plugins
from arena.cli import options
from arena.cli.evidence import show_fault
from arena.cli.watch import Watcher, printable
from arena.errors import ConfigError
from arena.records import MatchRecord
from arena.tournament.config import check_tournament, override
from arena.tournament.prepare import prepare
from arena.tournament.single import play_single


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("match")(match)


def match(
    bots: Annotated[list[str], typer.Argument(metavar="BOT BOT BOT BOT", help="Seats 0 to 3.")],
    watch: Annotated[bool, typer.Option("--watch", help="Print the play as it goes.")] = False,
    record: Annotated[
        str | None,
        typer.Option("--record", metavar="FILE", help="Append the record (- is stdout)."),
    ] = None,
    transcript: Annotated[
        Path | None,
        typer.Option(
            "--transcripts", metavar="FILE", help="Keep each line sent to a bot and written by it."
        ),
    ] = None,
) -> None:
    """Play one match and show its result."""
    if len(bots) != 4:
        raise ConfigError(
            f"a match has four seats, {len(bots)} bots were given", mend="give four BOTs"
        )
    shared = options.settings(
        seed=seed,
        deals=deals,
        variant=variant,
        start_ms=start_ms,
        move_ms=move_ms,
        match_ms=match_ms,
        memory_mb=memory_mb,
        strikes=strikes,
        sandbox=sandbox,
        unsandboxed=unsandboxed,
        require=require,
    )
    file = check_tournament(override({"bots": bots}, shared), where="command line")
    tournament = prepare(file, plugins.build_manager(), cache=options.cache_folder(), twins=True)
    to_stdout = record == "-"
    console = Console(stderr=to_stdout, highlight=False)
    observers = [Watcher(console)] if watch else []
    played = play_single(tournament, observers=observers, transcript=transcript)
    if record is not None:
        _keep(played, record)
    console.print(_result(played))
    for fault in played.faults:
        show_fault(console, played.seats[fault.seat].name, fault)


def _keep(played: MatchRecord, record: str) -> None:
    line = orjson.dumps(played.as_dict()) + b"\n"
    if record == "-":
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
        return
    try:
        with Path(record).open("ab") as target:
            target.write(line)
    except OSError as error:
        raise ConfigError(f"cannot be written: {error.strerror}", where=record) from error


def _result(played: MatchRecord) -> Table:
    table = Table("seat", "bot", "score", "rank", "ms a move", box=None)
    for seat, bot in enumerate(played.seats):
        timing = played.timing[seat]
        table.add_row(
            str(seat),
            printable(bot.name),
            str(played.scores[seat]),
            str(played.ranks[seat]),
            f"{timing.total_ms / max(timing.decisions, 1):.2f}",
        )
    return table
