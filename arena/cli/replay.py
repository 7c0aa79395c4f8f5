"""`arena replay`: steps through a recorded match in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated

import typer
from rich.console import Console, Group
from rich.text import Text

from arena import plugins
from arena.cli import options
from arena.cli.keys import keys_of
from arena.errors import ConfigError
from arena.report.record_source import find_record
from arena.report.view import Stepped
from arena.report.views import stepped

HELP = "← → step · ↑ ↓ place · [ ] deal · {seats} one seat's view, a all · q leaves"
DIGITS = "0123456789"


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("replay")(replay)


def replay(
    path: options.Records,
    match: Annotated[
        str | None, typer.Argument(metavar="MATCH", help="Name of the match, e.g. 12-3.")
    ] = None,
    deal: Annotated[int, typer.Option(min=1, metavar="N", help="Start at this deal.")] = 1,
    trick: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Start at this trick (turn, round) of the deal."),
    ] = None,
    seat: Annotated[
        int | None, typer.Option(min=0, max=15, metavar="N", help="See what this seat sees alone.")
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Print lines, do not wait for keys.")] = (
        False
    ),
) -> None:
    """Step through a match; plain lines where there is no terminal."""
    shown = stepped(plugins.build_manager(), find_record(path, match))
    if seat is not None and seat >= len(shown.names):
        last = len(shown.names) - 1
        raise ConfigError(f"there is no seat {seat}", where="--seat", mend=f"seats are 0 to {last}")
    first = shown.find(deal, trick)
    if plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        for line in shown.lines(first):
            print(line)
        return
    console = Console(highlight=False)
    with console.screen(hide_cursor=True) as screen, keys_of(sys.stdin.fileno()) as next_key:
        _step_through(shown, first, seat, next_key, lambda picture: screen.update(picture))


def _step_through(
    shown: Stepped,
    now: int,
    view: int | None,
    next_key: Callable[[], str],
    show: Callable[[Group], None],
) -> None:
    last_seat = min(len(shown.names), len(DIGITS)) - 1
    help_line = HELP.format(seats=f"0-{last_seat}")
    while True:
        moment = shown.moments[now]
        place = Text(f"{now + 1}/{len(shown.moments)}  {help_line}", style="dim")
        show(Group(shown.draw(moment, view), Text(), place))
        key = next_key()
        if key == "q":
            return
        if key in DIGITS[: last_seat + 1]:
            view = int(key)
        elif key == "a":
            view = None
        else:
            now = _moved(shown, now, key)


def _moved(shown: Stepped, now: int, key: str) -> int:
    """The index that a key leads to; the same one if it is no key of ours."""
    last = len(shown.moments) - 1
    if key in ("right", "space", "enter", "l"):
        return min(last, now + 1)
    if key in ("left", "h"):
        return max(0, now - 1)
    if key in ("down", "j"):
        return _next(shown, now, 1, ("place", "deal"))
    if key in ("up", "k"):
        return _next(shown, now, -1, ("place", "deal"))
    if key == "]":
        return _next(shown, now, 1, ("deal",))
    if key == "[":
        return _next(shown, now, -1, ("deal",))
    return {"home": 0, "end": last}.get(key, now)


def _next(shown: Stepped, now: int, step: int, wanted: tuple[str, ...]) -> int:
    place = now + step
    while 0 <= place < len(shown.moments):
        if shown.begins(place) in wanted:
            return place
        place += step
    return 0 if step < 0 else len(shown.moments) - 1
