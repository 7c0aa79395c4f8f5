"""`arena serve-bhoos`: one of our bots behind the interface of the 2022 tournament."""

from __future__ import annotations

import random
import sys
from typing import Annotated

import typer

from arena import plugins
from arena.adapters.bhoos.served import ServedBot
from arena.adapters.bhoos.web import Listener, serve
from arena.bots.build import Workshop, build_bot
from arena.bots.bundled import bundled_bots
from arena.bots.resolve import resolve
from arena.bots.toolchain import missing_toolchain
from arena.cli import options
from arena.errors import ConfigError
from arena.games.callbreak.variants import build_variant
from arena.process import spawn
from arena.referee.api import TimeLimits
from arena.sandbox.api import Limits
from arena.sandbox.choice import choose
from arena.tournament.clock import SteadyClock

VARIANT = "bhoos"


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("serve-bhoos")(serve_bhoos)


def serve_bhoos(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="What to serve.")],
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where to listen.")] = 7000,
    host: Annotated[
        str, typer.Option(help="On which address; 0.0.0.0 for all of this machine.")
    ] = "127.0.0.1",
) -> None:
    """Serve a bot behind the HTTP interface of the 2022 Callbreak tournament."""
    manager = plugins.build_manager()
    provider = choose(
        list(plugins.sandboxes(manager).values()), "none" if unsandboxed else sandbox or "auto"
    )
    found = resolve(bot, bundled_bots())
    if lack := missing_toolchain(found):
        raise ConfigError(lack, where=f"bot {found.name}")
    clock = SteadyClock()
    workshop = Workshop(
        provider, options.cache_folder() / "bots", clock, adapters=plugins.adapters(manager)
    )
    ready = build_bot(found, workshop)
    shape = Limits(memory_mb=memory_mb or Limits().memory_mb)
    rules = build_variant(VARIANT)
    served = ServedBot(
        ready.name,
        lambda: spawn(provider.launch(ready.program(), shape)),
        rules.as_dict(),
        limits=TimeLimits(start_ms=start_ms or TimeLimits().start_ms),
        clock=clock,
        chance=random.SystemRandom(),
        log=_log,
    )
    with served:
        served.get_ready()
        listener = Listener(host, port)
        _log(f"{ready.name} listens at http://{host}:{listener.server_port} (Ctrl-C ends it)")
        serve(listener, served, rules, _log)


def _log(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
