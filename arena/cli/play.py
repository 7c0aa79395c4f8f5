"""`arena play`: a person takes a seat against three bots."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import orjson
import typer
from rich.console import Console

from arena import plugins
from arena.cli import options
from arena.cli.person import Person
from arena.errors import ConfigError
from arena.records import MatchRecord
from arena.report.replay import fault_line
from arena.tournament.config import check_tournament, override
from arena.tournament.guest import play_with_guest
from arena.tournament.prepare import prepare

RECORDS = Path("runs/play.jsonl")


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("play")(play)


def play(
    bots: Annotated[
        list[str], typer.Argument(metavar="BOT BOT BOT", help="The others, from your right on.")
    ],
    seat: Annotated[int, typer.Option(min=0, max=3, metavar="N", help="Your seat.")] = 0,
    name: Annotated[str, typer.Option(metavar="TEXT", help="Your name in the record.")] = "person",
    record: Annotated[
        Path, typer.Option(metavar="FILE", help="Where the record is appended.")
    ] = RECORDS,
) -> None:
    """Take a seat in a match. The bots have their clocks, you have none; nothing is taken back."""
    if len(bots) != 3:
        raise ConfigError(
            f"three bots play against you, {len(bots)} were given", mend="give three BOTs"
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
    # `bots` begin at the person's right; the tournament's bots are by seat.
    places = [(seat + turn) % 4 for turn in (1, 2, 3)]
    by_seat = [bot for _, bot in sorted(zip(places, bots, strict=True))]
    file = check_tournament(override({"bots": by_seat}, shared), where="command line")
    tournament = prepare(file, plugins.build_manager(), cache=options.cache_folder(), twins=True)
    console = Console(highlight=False, soft_wrap=True)
    played = play_with_guest(tournament, Person(console, _ask), name=name, seat=seat)
    _keep(played, record)
    for fault in played.faults:
        print(fault_line(fault.as_dict(), [bot.name for bot in played.seats]))
    print(f"recorded in {record}; to see it again: arena replay {record} {played.match}")


def _ask(prompt: str) -> str:
    try:
        return input(prompt)
    except EOFError:
        # Whoever closes the terminal leaves the match, as with Ctrl-C: nothing is recorded.
        raise KeyboardInterrupt from None


def _keep(played: MatchRecord, record: Path) -> None:
    try:
        record.parent.mkdir(parents=True, exist_ok=True)
        with record.open("ab") as target:
            target.write(orjson.dumps(played.as_dict()) + b"\n")
    except OSError as error:
        raise ConfigError(f"cannot be written: {error.strerror}", where=str(record)) from error
