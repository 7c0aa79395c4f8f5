"""`arena demo`: the main job with the bundled bots."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena import plugins
from arena.bots.bundled import bundled_bots, bundled_names
from arena.cache import cache_folder
from arena.cli import options
from arena.cli.called import command_line
from arena.cli.play_run import announce, play_into, seed_in
from arena.cli.results import leave_results, left_by
from arena.tournament.config import check_tournament, override
from arena.tournament.prepare import prepare

OUT = Path("runs/demo")
ORBITS = 30


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("demo")(demo)


@options.taking("workers", "sandbox", "unsandboxed")
def demo(
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", readable=False, help="Run folder.")
    ] = OUT,
    orbits: Annotated[
        int, typer.Option(min=1, metavar="N", help="Times each bot sits in each seat.")
    ] = ORBITS,
    *,
    settings: options.Settings,
) -> None:
    """Play the bundled bots against each other, sandboxed, and show the leaderboard."""
    content = {
        "name": "demo",
        "bots": list(bundled_names(bundled_bots())),
        "schedule": {"orbits": orbits},
    }
    file = check_tournament(override(content, settings), where="demo")
    manager = plugins.build_manager()
    tournament = prepare(
        file,
        manager,
        seed=seed_in(out, left_by(file)),
        cache=cache_folder(),
        leave_out=True,
    )
    announce(tournament, out)
    play_into(tournament, out, again=command_line())
    leave_results(out, manager)
