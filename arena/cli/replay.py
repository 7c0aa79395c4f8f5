"""`arena replay`: steps through a recorded match in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated

import typer
from rich.console import Console, Group
from rich.text import Text

from arena.cli import options
from arena.cli.keys import keys_of
from arena.report.record_source import find_record
from arena.report.replay import CALL, DEAL_OVER, Moment, Replay
from arena.report.replay_lines import plain_lines
from arena.report.replay_screen import draw

HELP = "← → step · ↑ ↓ trick · [ ] deal · 0-3 one seat's view, a all · q leaves"


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
        int | None, typer.Option(min=1, metavar="N", help="Start at this trick of the deal.")
    ] = None,
    seat: Annotated[
        int | None, typer.Option(min=0, max=3, metavar="N", help="See this seat's hand alone.")
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Print lines, do not wait for keys.")] = (
        False
    ),
) -> None:
    """Step through a match; plain lines where there is no terminal."""
    shown = Replay(find_record(path, match))
    first = shown.find(deal, trick)
    if plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        for line in plain_lines(shown, first=first):
            print(line)
        return
    console = Console(highlight=False)
    with console.screen(hide_cursor=True) as screen, keys_of(sys.stdin.fileno()) as next_key:
        _step_through(shown, first, seat, next_key, lambda picture: screen.update(picture))


def _step_through(
    shown: Replay,
    now: int,
    view: int | None,
    next_key: Callable[[], str],
    show: Callable[[Group], None],
) -> None:
    while True:
        moment = shown.moments[now]
        place = Text(f"{now + 1}/{len(shown.moments)}  {HELP}", style="dim")
        show(Group(draw(shown, moment, view), Text(), place))
        key = next_key()
        if key == "q":
            return
        if key in "0123":
            view = int(key)
        elif key == "a":
            view = None
        else:
            now = _moved(shown.moments, now, key)


def _moved(moments: tuple[Moment, ...], now: int, key: str) -> int:
    """The index that a key leads to; the same one if it is no key of ours."""
    last = len(moments) - 1
    if key in ("right", "space", "enter", "l"):
        return min(last, now + 1)
    if key in ("left", "h"):
        return max(0, now - 1)
    if key in ("down", "j"):
        return _next(moments, now, 1, _is_trick)
    if key in ("up", "k"):
        return _next(moments, now, -1, _is_trick)
    if key == "]":
        return _next(moments, now, 1, _is_deal)
    if key == "[":
        return _next(moments, now, -1, _is_deal)
    return {"home": 0, "end": last}.get(key, now)


def _is_trick(moment: Moment) -> bool:
    return moment.card == 1 or moment.kind == DEAL_OVER


def _is_deal(moment: Moment) -> bool:
    return moment.kind == CALL and moment.card == 1


def _next(
    moments: tuple[Moment, ...], now: int, step: int, is_wanted: Callable[[Moment], bool]
) -> int:
    place = now + step
    while 0 <= place < len(moments):
        if is_wanted(moments[place]):
            return place
        place += step
    return 0 if step < 0 else len(moments) - 1
