"""`arena serve-bhoos`: one of our bots behind the interface of the 2022 tournament."""

from __future__ import annotations

import random
import sys
from typing import Annotated

import typer

from arena.adapters.bhoos.served import ServedBot
from arena.adapters.bhoos.web import Listener, serve
from arena.cli import options
from arena.cli.typed import typed_tournament
from arena.games.callbreak.variants import build_variant
from arena.process import spawn
from arena.report.escape import visible
from arena.tournament.clock import SteadyClock

VARIANT = "bhoos"


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("serve-bhoos")(serve_bhoos)


@options.taking("start_ms", "memory_mb", "sandbox", "unsandboxed", "toolchain")
def serve_bhoos(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="What to serve.")],
    port: Annotated[
        int, typer.Option(min=0, max=65535, metavar="PORT", help="Where to listen.")
    ] = 7000,
    host: Annotated[
        str,
        typer.Option(metavar="ADDRESS", help="On which address; 0.0.0.0 for all of this machine."),
    ] = "127.0.0.1",
    allow_origin: Annotated[
        str,
        typer.Option(
            metavar="ORIGIN",
            help="Whose pages in a browser may ask, such as http://localhost:3000.",
            show_default="nobody's",
        ),
    ] = "",
    *,
    settings: options.Settings,
) -> None:
    """Serve a bot behind the HTTP interface of the 2022 Callbreak tournament."""
    tournament = typed_tournament([bot], settings | {"game.variant": VARIANT})
    plan, clock = tournament.plan, SteadyClock()
    (ready,) = plan.bots
    rules = build_variant(VARIANT)
    served = ServedBot(
        ready.name,
        lambda: spawn(tournament.sandbox.launch(ready.program(), ready.limits(plan.limits))),
        plan.variant,
        limits=plan.rules.limits,
        clock=clock,
        chance=random.SystemRandom(),
        log=_log,
    )
    with served:
        served.get_ready()
        listener = Listener(host, port, allow_origin)
        _log(f"{ready.name} listens at http://{host}:{listener.server_port} (Ctrl-C ends it)")
        serve(listener, served, rules, _log)


def _log(text: str) -> None:
    # A question that is refused is quoted: whoever can ask here must not reach the terminal.
    print(visible(text), file=sys.stderr, flush=True)
