"""`arena match`: one match between as many bots as the game has seats."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from arena import plugins
from arena.bots.resolve import refuse_inside
from arena.cli import options
from arena.cli.evidence import show_fault
from arena.cli.output import STDOUT, appending
from arena.cli.typed import typed_tournament
from arena.errors import ConfigError
from arena.records import MatchRecord
from arena.report.escape import visible
from arena.report.views import view_of
from arena.store import refuse_part_of_run
from arena.tournament.single import play_single
from arena.words import counted


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("match")(match)


@options.taking(*options.CARDS, "set", *options.LIMITS, *options.SANDBOX)
def match(
    bots: Annotated[
        list[str],
        typer.Argument(metavar="BOT…", help="One a seat, from seat 0 on; four in Callbreak."),
    ],
    watch: Annotated[bool, typer.Option("--watch", help="Print the play as it goes.")] = False,
    record: Annotated[
        Path | None,
        typer.Option(metavar="FILE", readable=False, help="Append the record (- is stdout)."),
    ] = None,
    transcript: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", readable=False, help="Keep each line sent to a bot and written by it."
        ),
    ] = None,
    *,
    settings: options.Settings,
) -> None:
    """Play one match and show its result."""
    for file in (record, transcript):
        if file is not None and str(file) != STDOUT:
            refuse_part_of_run(file)
            refuse_inside(file, bots)
    tournament = typed_tournament(bots, settings)
    if len(bots) != tournament.seats:
        raise ConfigError(
            f"a match has {counted(tournament.seats, 'seat')}, "
            f"{counted(len(bots), 'bot was', 'bots were')} given",
            mend=f"give {counted(tournament.seats, 'BOT')}",
        )
    console = Console(stderr=str(record) == STDOUT, highlight=False)
    observers = []
    if watch:
        view = view_of(plugins.build_manager(), tournament.game.name)
        observers.append(view.watcher(console))
    with appending(record) as append:
        played = play_single(tournament, observers=observers, transcript=transcript)
        append(played)
    console.print(_result(played))
    for fault in played.faults:
        show_fault(console, played.seats[fault.seat].name, fault)


def _result(played: MatchRecord) -> Table:
    table = Table("seat", "bot", "score", "rank", "ms a move", box=None)
    for seat, bot in enumerate(played.seats):
        timing = played.timing[seat]
        table.add_row(
            str(seat),
            visible(bot.name),
            str(played.scores[seat]),
            str(played.ranks[seat]),
            f"{timing.total_ms / max(timing.decisions, 1):.2f}",
        )
    return table
