"""`arena site`: pages of a run or of any file of records."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from arena import plugins
from arena.cli import options
from arena.errors import ConfigError
from arena.report.leaderboard import choose_systems
from arena.report.record_source import header_of, read_any
from arena.words import counted

KEPT = 20_000


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("site")(site)


def site(
    path: options.Records,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", readable=False, help="Folder for the pages.")
    ],
    rating: options.Rating = "elo",
    title: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Heading of the pages.", show_default="the run's name"),
    ] = None,
    matches: Annotated[
        int,
        typer.Option(min=0, metavar="N", help="Most matches to step through in the pages."),
    ] = KEPT,
    skip_bad: options.SkipBad = False,
) -> None:
    """Write pages to publish: board, bots, head to head, matches, replays. They need no server."""
    build = extra_module("arena.report.site.build", extra="site", command="arena site")
    manager = plugins.build_manager()
    header = header_of(path)
    built = build.build_site(
        build.Source(
            title or str(header.get("name") or path.stem), read_any(path, cards=True), header
        ),
        out,
        systems=choose_systems(rating, plugins.ratings(manager)),
        games=plugins.games(manager),
        keep=matches,
        skip_bad=skip_bad,
    )
    kept = "" if built.kept == built.matches else f", {built.kept} of them to step through"
    bad = f", {counted(len(built.bad), 'bad line')} skipped" if built.bad else ""
    size = f"{counted(built.bots, 'bot')}, {counted(built.matches, 'match', 'matches')}"
    print(f"{out / 'index.html'}: {size}{kept}{bad}",
          file=sys.stderr)  # fmt: skip


def extra_module(name: str, *, extra: str, command: str) -> Any:
    """A module that needs an extra of the distribution; says how to install it if it is missing."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "arena":
            raise
        raise ConfigError(
            f"{command} needs the package {error.name}, which is not installed",
            mend=f"pip install 'callbreak-arena[{extra}]'",
        ) from error
