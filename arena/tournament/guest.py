"""A match in which somebody who is no process takes a seat."""

from __future__ import annotations

from dataclasses import replace

from arena import __version__
from arena.errors import ConfigError
from arena.records import BotId, MatchRecord
from arena.referee.api import Table
from arena.referee.driver import play
from arena.referee.local import Decider, StandingClock, local_seat
from arena.referee.seat import Seat
from arena.tournament.clock import SteadyClock, utc_now
from arena.tournament.prepare import Tournament
from arena.tournament.seating import seated
from arena.tournament.seeds import commitment, seat_seed
from arena.words import counted


def play_with_guest(tournament: Tournament, guest: Decider, *, name: str, seat: int) -> MatchRecord:
    """The match of the guest and the tournament's bots, who take the other seats in order.

    The record is marked: `person` is the guest's seat. Must be called from the main thread. Raises
    ArenaError if the harness fails.
    """
    bots = list(tournament.plan.bots)
    others = tournament.seats - 1
    if len(bots) != others:
        raise ConfigError(
            f"{counted(len(bots), 'bot was', 'bots were')} given for "
            f"the other {counted(others, 'seat')}",
            mend=f"give {counted(others, 'BOT')}",
        )
    clock = StandingClock(SteadyClock())
    with seated(tournament, bots, clock) as sitting:
        seats: list[Seat] = list(sitting)
        seats.insert(seat, local_seat(guest, name, clock))
        ids = [bot.id for bot in bots]
        ids.insert(seat, BotId(name, "", ""))
        record = play(_table(tournament, tuple(ids)), seats, clock)
    extra = {"arena": __version__, "rules": tournament.game.version, "person": seat}
    return replace(record, extra={**record.extra, **extra})


def _table(tournament: Tournament, ids: tuple[BotId, ...]) -> Table:
    seed = tournament.seed
    return Table(
        match="1",
        set=commitment(seed)[:8],
        game=tournament.game,
        variant=tournament.plan.variant,
        seed=seed,
        seats=ids,
        players=tuple(bot.name for bot in ids),
        seat_seeds=tuple(seat_seed(seed, seat) for seat in range(len(ids))),
        started=utc_now(),
        rules=tournament.plan.rules,
    )
