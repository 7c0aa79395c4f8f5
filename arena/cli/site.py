"""`arena site`: pages of a run or of any file of records."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from arena import plugins
from arena.errors import ConfigError
from arena.report.leaderboard import choose_systems
from arena.report.records_input import read_any
from arena.store import RunStore

KEPT = 20_000


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("site")(site)


def site(
    path: Annotated[
        Path, typer.Argument(metavar="RUN|RECORDS.jsonl", help="A run folder or a file of records.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder for the pages.")],
    rating: Annotated[
        str, typer.Option(help="Rating systems side by side, the ordering one first.")
    ] = "elo",
    title: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Heading of the pages (the run's name).")
    ] = None,
    matches: Annotated[
        int,
        typer.Option(min=0, metavar="N", help="Most matches to step through in the pages."),
    ] = KEPT,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Leave lines out that are no record.")
    ] = False,
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
    bad = f", {len(built.bad)} bad lines skipped" if built.bad else ""
    print(f"{out / 'index.html'}: {built.bots} bots, {built.matches} matches{kept}{bad}",
          file=sys.stderr)  # fmt: skip


def header_of(path: Path) -> dict[str, Any]:
    """What a run folder remembers of its run; nothing for a file of records."""
    if not path.is_dir():
        return {}
    with RunStore.read(path) as store:
        return store.header()


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
