"""`arena play`: a person takes a seat against three bots."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from arena.cli import options
from arena.cli.output import appending
from arena.cli.person import Person
from arena.cli.typed import typed_tournament
from arena.errors import ConfigError
from arena.report.replay import fault_line
from arena.store import refuse_part_of_run
from arena.tournament.guest import play_with_guest
from arena.words import counted

RECORDS = Path("runs/play.jsonl")


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("play")(play)


@options.taking(*options.CARDS, *options.LIMITS, *options.SANDBOX)
def play(
    bots: Annotated[
        list[str], typer.Argument(metavar="BOT BOT BOT", help="The others, from your right on.")
    ],
    seat: Annotated[int, typer.Option(min=0, max=3, metavar="N", help="Your seat.")] = 0,
    name: Annotated[str, typer.Option(metavar="TEXT", help="Your name in the record.")] = "person",
    record: Annotated[
        Path, typer.Option(metavar="FILE", readable=False, help="Where the record is appended.")
    ] = RECORDS,
    *,
    settings: options.Settings,
) -> None:
    """Take a seat in a match. The bots have their clocks, you have none; nothing is taken back."""
    if len(bots) != 3:
        raise ConfigError(
            f"three bots play against you, {counted(len(bots), 'bot was', 'bots were')} given",
            mend="give three BOTs",
        )
    refuse_part_of_run(record)
    # `bots` begin at the person's right; the tournament's bots are by seat.
    places = [(seat + turn) % 4 for turn in (1, 2, 3)]
    by_seat = [bot for _, bot in sorted(zip(places, bots, strict=True))]
    tournament = typed_tournament(by_seat, settings)
    console = Console(highlight=False, soft_wrap=True)
    with appending(record, make_folders=True) as append:
        played = play_with_guest(tournament, Person(console, _ask), name=name, seat=seat)
        append(played)
    for fault in played.faults:
        print(fault_line(fault.as_dict(), [bot.name for bot in played.seats]))
    print(f"recorded in {record}; to see it again: arena replay {record} {played.match}")


def _ask(prompt: str) -> str:
    try:
        return input(prompt)
    except EOFError:
        # Whoever closes the terminal leaves the match, as with Ctrl-C: nothing is recorded.
        raise KeyboardInterrupt from None
