"""`arena demo`: the main job with the bundled bots."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena import plugins
from arena.bots.bundled import bundled_bots, bundled_names
from arena.cli import options
from arena.cli.play_run import announce, play_into, seed_in
from arena.cli.results import leave_results
from arena.tournament.config import check_tournament, override
from arena.tournament.prepare import prepare

OUT = Path("runs/demo")
ORBITS = 30


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("demo")(demo)


def demo(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Run folder.")] = OUT,
    orbits: Annotated[
        int, typer.Option(min=1, metavar="N", help="Length: times each bot sits in each seat.")
    ] = ORBITS,
    workers: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Worker processes (one a core).")
    ] = None,
) -> None:
    """Play the bundled bots against each other, sandboxed, and show the leaderboard."""
    content = {
        "name": "demo",
        "bots": list(bundled_names(bundled_bots())),
        "schedule": {"orbits": orbits},
    }
    changes = options.settings(sandbox=sandbox, unsandboxed=unsandboxed)
    file = check_tournament(override(content, changes | {"run.workers": workers}), where="demo")
    tournament = prepare(
        file,
        plugins.build_manager(),
        seed=seed_in(out),
        cache=options.cache_folder(),
        leave_out=True,
    )
    announce(tournament, out)
    play_into(tournament, out, again=["arena", "demo", "--out", str(out)])
    leave_results(out)
