"""Bots started for one match and seen out after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager

from arena.bots.bot import Bot
from arena.referee.api import Clock
from arena.referee.hosting import dismiss
from arena.referee.seat import Seat
from arena.tournament.cores import own_core
from arena.tournament.prepare import Tournament
from arena.tournament.starting import Starter


@contextmanager
def seated(tournament: Tournament, bots: Sequence[Bot], clock: Clock) -> Iterator[list[Seat]]:
    """The bots, started in the tournament's sandbox on one core and greeted; then none is left."""
    plan = tournament.plan
    with ExitStack() as links:
        core = links.enter_context(own_core())
        seats = Starter(plan, tournament.sandbox, clock, core).seats(bots)
        for seat in seats:
            links.enter_context(closing(seat.link))
        try:
            yield seats
        finally:
            dismiss(seats, clock, plan.rules.limits.grace_ms)
