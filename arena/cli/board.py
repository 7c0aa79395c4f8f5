"""`arena board`: the leaderboard of a run folder, or of any file of records."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from arena import plugins
from arena.cli import options
from arena.errors import ConfigError
from arena.lookup import pick
from arena.ratings.api import Anchor
from arena.report.api import ComparisonFormat, Screen
from arena.report.comparison import compare
from arena.report.identity import name_bots, parse_merge
from arena.report.leaderboard import build_leaderboard, choose_systems
from arena.report.matches import Matches
from arena.report.plot import draw_board
from arena.report.record_source import refuse_bad_lines
from arena.report.shares import gather_from, uncollected
from arena.words import counted

_PIPE_WIDTH = 100


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("board")(board)


def board(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN|RECORDS.jsonl…", readable=False, help="Run folders or files of records."
        ),
    ],
    format_name: Annotated[
        str, typer.Option("--format", metavar="NAME", help="table, json, csv, md, or a plugin's.")
    ] = "table",
    rating: options.Rating = "elo",
    anchor: Annotated[
        str, typer.Option(metavar="NAME=ELO", help="Show this bot with this Elo.")
    ] = "",
    merge: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME[=LABEL,LABEL]", help="Rate all versions of NAME, or LABELs, as one bot."
        ),
    ] = None,
    skip_bad: options.SkipBad = False,
    compare_two: Annotated[
        bool | None,
        typer.Option(
            "--compare/--pool",
            help="Compare two boards, the second against the first (for two paths the default), or "
            "rate all matches together.",
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", readable=False, help="Draw ratings and heat map (.svg, .png) as well."
        ),
    ] = None,
) -> None:
    """Show the leaderboard of a run folder, or of any file of match records."""
    manager = plugins.build_manager()
    style = pick(plugins.report_formats(manager), format_name, "report format")
    systems = choose_systems(rating, plugins.ratings(manager))
    parts = _parts(paths, compare_two)
    merges = [parse_merge(text) for text in merge or []]
    shown = parse_anchor(anchor) if anchor else None
    with uncollected():
        gathered = [_gather(part, skip_bad) for part in parts]
        names = name_bots(chain.from_iterable(matches.ids for matches in gathered), merges)
        boards = [build_leaderboard(each, systems, anchor=shown, names=names) for each in gathered]
    if plot:
        draw_board(boards[-1], plot)
    if len(boards) == 1:
        sys.stdout.write(style.render(boards[0], screen()))
    elif isinstance(style, ComparisonFormat):
        sys.stdout.write(style.render_comparison(compare(*boards), screen()))
    else:
        raise ConfigError(
            f"the format {format_name} shows no comparison", where="--format", mend="add --pool"
        )


def _parts(paths: Sequence[Path], compare_two: bool | None) -> list[Sequence[Path]]:
    """The paths, grouped by the board that they make together."""
    if compare_two and len(paths) != 2:
        raise ConfigError(
            f"{counted(len(paths), 'path is', 'paths are')} given",
            where="--compare",
            mend="give two, the older first",
        )
    if compare_two is not False and len(paths) == 2:
        return [paths[:1], paths[1:]]
    return [paths]


def _gather(paths: Sequence[Path], skip_bad: bool) -> Matches:
    matches = Matches()
    for path in paths:
        gather_from(path, matches)
    if not skip_bad:
        refuse_bad_lines(matches.bad)
    elif matches.bad:
        print(f"{counted(len(matches.bad), 'bad line')} skipped", file=sys.stderr)
    return matches


def parse_anchor(text: str) -> Anchor:
    """Reads `NAME=1500`."""
    name, _, elo = text.rpartition("=")
    try:
        figure = float(elo)
    except ValueError:
        figure = float("nan")
    if not name or not abs(figure) <= 1e6:
        raise ConfigError(f"cannot read {text!r}", where="--anchor", mend="write NAME=1500")
    return name, figure


def screen() -> Screen:
    """How wide standard output is and whether it shows colour."""
    width = shutil.get_terminal_size((_PIPE_WIDTH, 24)).columns
    return Screen(width=width, colour=sys.stdout.isatty())
