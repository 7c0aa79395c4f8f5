"""`arena play`: a person takes a seat against bots."""

from __future__ import annotations

import shlex
from dataclasses import replace
from operator import itemgetter
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from arena import plugins
from arena.bots.resolve import refuse_inside
from arena.cli import options
from arena.cli.called import spoken
from arena.cli.output import appending
from arena.cli.typed import typed_tournament
from arena.errors import ConfigError
from arena.report.remarks import fault_line
from arena.report.views import view_of
from arena.store import refuse_part_of_run
from arena.tournament.guest import play_with_guest
from arena.tournament.prepare import Tournament
from arena.words import counted

RECORDS = Path("runs/play.jsonl")


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("play")(play)


@options.taking(*options.CARDS, *options.LIMITS, *options.SANDBOX)
def play(
    bots: Annotated[
        list[str],
        typer.Argument(metavar="BOT…", help="The others, from your right on; three in Callbreak."),
    ],
    seat: Annotated[int, typer.Option(min=0, metavar="N", help="Your seat.")] = 0,
    name: Annotated[str, typer.Option(metavar="TEXT", help="Your name in the record.")] = "person",
    record: Annotated[
        Path, typer.Option(metavar="FILE", readable=False, help="Where the record is appended.")
    ] = RECORDS,
    *,
    settings: options.Settings,
) -> None:
    """Take a seat in a match. The bots have their clocks, you have none; nothing is taken back."""
    refuse_part_of_run(record)
    refuse_inside(record, bots)
    tournament = _by_seat(typed_tournament(bots, settings), seat)
    console = Console(highlight=False, soft_wrap=True)
    view = view_of(plugins.build_manager(), tournament.game.name)
    with appending(record, make_folders=True) as append:
        played = play_with_guest(tournament, view.person(console, _ask), name=name, seat=seat)
        append(played)
    for fault in played.faults:
        print(fault_line(fault.as_dict(), [bot.name for bot in played.seats]))
    at = shlex.quote(str(record))
    print(spoken(f"recorded in {record}; to see it again: arena replay {at} {played.match}"))


def _by_seat(tournament: Tournament, seat: int) -> Tournament:
    """The bots in the order of their seats; they were typed from the person's right on."""
    bots, seats = tournament.plan.bots, tournament.seats
    if seat >= seats:
        raise ConfigError(f"there is no seat {seat}", where="--seat", mend=f"0 to {seats - 1}")
    if len(bots) != seats - 1:
        raise ConfigError(
            f"{counted(seats - 1, 'bot plays', 'bots play')} against you, "
            f"{counted(len(bots), 'bot was', 'bots were')} given",
            mend=f"give {counted(seats - 1, 'BOT')}",
        )
    places = [(seat + turn) % seats for turn in range(1, seats)]
    placed = sorted(zip(places, bots, strict=True), key=itemgetter(0))
    ordered = tuple(bot for _, bot in placed)
    return replace(tournament, plan=replace(tournament.plan, bots=ordered))


def _ask(prompt: str) -> str:
    try:
        return input(prompt)
    except EOFError:
        # Whoever closes the terminal leaves the match, as with Ctrl-C: nothing is recorded.
        raise KeyboardInterrupt from None
