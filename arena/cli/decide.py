"""`arena decide`: one recorded decision, asked again."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from arena import plugins
from arena.cli import options
from arena.cli.typed import typed_tournament
from arena.errors import ConfigError
from arena.report.escape import visible
from arena.report.plain_text import place_words
from arena.report.record_source import find_record
from arena.report.remarks import fault_line
from arena.report.view import GameView
from arena.report.views import stepped, view_of
from arena.tournament.again import Answer, Place, decide_again
from arena.tournament.prepare import Tournament
from arena.words import counted

DIFFERING_SHOWN = 8


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("decide")(decide)


@options.taking("start_ms", "move_ms", "match_ms", "memory_mb", *options.SANDBOX)
def decide(
    path: options.Records,
    match: Annotated[str, typer.Argument(metavar="MATCH", help="Name of the match, e.g. 12-3.")],
    bot: Annotated[str, typer.Option("--bot", metavar="BOT", help="Whom to ask.")],
    deal: Annotated[int, typer.Option(min=1, metavar="N", help="The deal.")],
    trick: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="The trick (turn, round) in it; without one, the first decision.",
        ),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(min=0, max=15, metavar="N", help="Whose decision (the seat of BOT's name)."),
    ] = None,
    as_json: options.Json = False,
    *,
    settings: options.Settings,
) -> None:
    """Ask a bot one decision of a match again, led there through all that came before."""
    record = find_record(path, match)
    manager = plugins.build_manager()
    shown = stepped(manager, record)
    tournament = _prepared(bot, record, settings)
    seat = _seat_of(record, tournament) if seat is None else seat
    moment = shown.moments[shown.find(deal, trick, seat)]
    place: Place = (moment.deal, moment.trick)
    answer = decide_again(tournament, record, seat=seat, place=place)
    if as_json:
        print(json.dumps(_as_json(answer, seat, place)))
    else:
        console = Console(highlight=False, soft_wrap=True)
        console.print(shown.draw(moment, seat), Text())
        names = list(shown.names)
        names[seat] = tournament.plan.bots[0].name
        _tell(console, answer, names, view_of(manager, record["game"]))
    if answer.fault is not None:
        raise typer.Exit(1)


def _prepared(bot: str, record: Mapping[str, Any], settings: options.Settings) -> Tournament:
    variant = dict(record["variant"])
    game = {"name": record["game"], "variant": variant.pop("name"), "parameters": variant}
    return typed_tournament([bot], settings, game=game)


def _seat_of(record: Mapping[str, Any], tournament: Tournament) -> int:
    (bot,) = tournament.plan.bots
    seats = [n for n, seat in enumerate(record["seats"]) if seat["bot"] == bot.name]
    if len(seats) == 1:
        return seats[0]
    how_many = "several seats are" if seats else "no seat is"
    names = ", ".join(f"{n} {visible(seat['bot'])}" for n, seat in enumerate(record["seats"]))
    raise ConfigError(
        f"{how_many} of a bot named {bot.name!r}", where=f"match {record['match']}",
        mend=f"say whose decision it is with --seat: {names}",
    )  # fmt: skip


def _as_json(answer: Answer, seat: int, place: Place) -> dict[str, Any]:
    return {
        "seat": seat,
        "deal": place[0],
        "trick": place[1],
        "recorded": answer.recorded,
        "answered": answer.action,
        "legal": answer.legal,
        "note": answer.note,
        "used_ms": round(answer.used_ms, 3),
        "asked_before": answer.asked,
        "differing": [
            {
                "deal": d.place[0],
                "trick": d.place[1],
                "recorded": d.recorded,
                "answered": d.answered,
            }
            for d in answer.differing
        ],
        "fault": answer.fault.as_dict() if answer.fault else None,
        "log": answer.log,
    }


def _tell(console: Console, answer: Answer, names: Sequence[str], view: GameView) -> None:
    console.print(Text("then  ").append_text(view.action(answer.recorded)))
    if answer.action is None:
        console.print(Text("now   no answer", style="yellow"))
    else:
        line = Text("now   ").append_text(view.action(answer.action))
        same = "the same" if answer.action == answer.recorded else "another"
        console.print(line.append(f"  ({same}, after {answer.used_ms:.2f} ms)"))
    if answer.note:
        console.print(Text(f"note  {visible(answer.note)}"))
    _tell_differing(console, answer, view)
    if answer.fault is not None:
        console.print(Text(fault_line(answer.fault.as_dict(), names), style="yellow"))
    for logged in answer.log.splitlines():
        print(f"log   {visible(logged)}", file=sys.stderr)


def _tell_differing(console: Console, answer: Answer, view: GameView) -> None:
    count = len(answer.differing)
    if not answer.asked:
        return
    asked = counted(answer.asked, "answer")
    console.print(Text(f"On the way, of {asked}, {count} differed from the record."))
    for differing in answer.differing[:DIFFERING_SHOWN]:
        where = place_words(*differing.place)
        line = Text(f"  {where}: ").append_text(view.action(differing.answered))
        console.print(line.append(" instead of ").append_text(view.action(differing.recorded)))
    if count > DIFFERING_SHOWN:
        console.print(Text(f"  and {count - DIFFERING_SHOWN} more"))
