"""Bots started for one match and seen out after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from arena.bots.bot import Bot
from arena.process import spawn_all
from arena.referee.api import Clock
from arena.referee.hosting import dismiss, greet
from arena.referee.seat import Seat
from arena.tournament.cores import own_core
from arena.tournament.prepare import Tournament


@contextmanager
def seated(tournament: Tournament, bots: Sequence[Bot], clock: Clock) -> Iterator[list[Seat]]:
    """The bots, started in the tournament's sandbox on one core and greeted; then none is left."""
    plan = tournament.plan
    with ExitStack() as links:
        core = links.enter_context(own_core())
        running = spawn_all(
            tournament.sandbox.launch(bot.program(core), bot.limits(plan.limits)) for bot in bots
        )
        for process in running:
            links.enter_context(process)
        names = [bot.name for bot in bots]
        seats = greet(running, names, plan.game, plan.variant, plan.rules.limits, clock)
        try:
            yield seats
        finally:
            dismiss(seats, clock, plan.rules.limits.grace_ms)
