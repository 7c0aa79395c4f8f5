"""`arena run`: a tournament into a run folder."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from arena import plugins
from arena.bots.resolve import refuse_inside
from arena.cache import cache_folder
from arena.cli import options
from arena.cli.called import command_line
from arena.cli.plan_text import plan_text
from arena.cli.play_run import announce, play_into, seed_in
from arena.cli.results import leave_results, left_by
from arena.cli.serve import Place, served
from arena.errors import ConfigError
from arena.tournament.config import check_tournament, override, read_content
from arena.tournament.prepare import prepare


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("run")(run)


@options.taking(*options.CARDS, "set", "workers", "executor", *options.LIMITS, *options.SANDBOX)
def run(
    bots: Annotated[
        list[str], typer.Argument(metavar="TOURNAMENT.toml | BOT…", help="A file, or the bots.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", readable=False, help="Run folder.", show_default="runs/NAME"),
    ] = None,
    orbits: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Times each bot sits in each seat.", show_default="10"
        ),
    ] = None,
    schedule: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Format, e.g. gauntlet.", show_default="round-robin"),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Scheduler of a Dask cluster, e.g. tcp://HOST:8786."),
    ] = None,
    transcripts: Annotated[
        bool,
        typer.Option("--transcripts", help="Keep each line sent to a bot and written by it."),
    ] = False,
    extend: Annotated[
        bool,
        typer.Option("--extend", help="Add orbits, or bots behind the old ones, to the run."),
    ] = False,
    plan: Annotated[
        bool, typer.Option("--plan", help="Say what would be played and how long; play nothing.")
    ] = False,
    events: Annotated[
        bool, typer.Option("--json-events", help="Progress as JSON lines on stdout.")
    ] = False,
    serve: Annotated[
        int | None,
        typer.Option(
            "--serve", min=0, max=65535, metavar="PORT", help="Show the run live in a browser."
        ),
    ] = None,
    serve_host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where --serve listens.")
    ] = "127.0.0.1",
    *,
    settings: options.Settings,
) -> None:
    """Play a tournament; started again on the same folder, it goes on where it stopped."""
    content, where, folder = _content(bots)
    own = {
        "schedule.orbits": orbits,
        "schedule.format": schedule,
        "run.scheduler": scheduler,
        "run.transcripts": transcripts or None,
    }
    # An option that was not given must not undo what --set says.
    given = {key: value for key, value in own.items() if value is not None}
    file = check_tournament(override(content, settings | given), where=where)
    out = out or Path("runs") / file.name
    refuse_inside(out, file.bots, relative_to=folder, run=True)
    manager = plugins.build_manager()
    tournament = prepare(
        file,
        manager,
        seed=seed_in(out, left_by(file)),
        relative_to=folder,
        cache=cache_folder(),
    )
    if plan:
        print(plan_text(tournament))
        return
    announce(tournament, out)
    again = command_line(without="--extend")
    system = plugins.ratings(manager)["elo"]
    place = None if serve is None else Place(serve_host, serve)
    play_into(
        tournament,
        out,
        again=again,
        events=events,
        extend=extend,
        serve=partial(served, place, system=system),
    )
    leave_results(out, manager, board=not events)


def _content(bots: list[str]) -> tuple[dict[str, Any], str, Path]:
    """The tournament file's content, its name in messages, and the folder its paths are from."""
    if len(bots) == 1 and bots[0].endswith(".toml") and Path(bots[0]).name != "bot.toml":
        path = Path(bots[0])
        return read_content(path), str(path), path.parent
    if len(bots) < 2:
        raise ConfigError(
            "a tournament needs at least two bots or a tournament file",
            mend="arena run BOT BOT …, or arena run TOURNAMENT.toml",
        )
    return {"bots": bots}, "command line", Path()
