"""One match, played in this process."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from arena.records import MatchRecord
from arena.referee.api import Observer
from arena.tournament.bench import Bench
from arena.tournament.clock import SteadyClock, utc_now
from arena.tournament.cores import own_core
from arena.tournament.plan import MatchSpec
from arena.tournament.prepare import Tournament
from arena.tournament.seeds import commitment


def play_single(
    tournament: Tournament,
    *,
    observers: Sequence[Observer] = (),
    transcript: Path | None = None,
) -> MatchRecord:
    """The match of the tournament's bots in their order; its seed is the match's own.

    Its transcript is kept in the file `transcript`, if one is given. Must be called from the main
    thread (a sandbox ends with the thread that started it). Raises ArenaError if the harness fails.
    """
    spec = MatchSpec(
        number=0,
        match="1",
        set=commitment(tournament.seed)[:8],
        deal_set=None,
        seed=tournament.seed,
        seats=tuple(range(tournament.seats)),
    )
    with (
        own_core() as core,
        Bench(
            tournament.plan,
            game=tournament.game,
            sandbox=tournament.sandbox,
            clock=SteadyClock(),
            core=core,
        ) as bench,
    ):
        return bench.play(spec, started=utc_now(), observers=observers, transcript=transcript)
