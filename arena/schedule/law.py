"""The law of a deal set: on the same cards, no bot sits twice in the same seat.

A bot's process may be kept from match to match. Once a deal has been played all four hands are
known, so a process that met the same deal again would play with open cards. Processes are kept by
(bot, seat); while a schedule keeps this law, such a process can never be shown a deal twice, and
a runner needs no further care. A bot may still hold several seats of one table: these are several
processes, each of which sees its own hand alone.

Every built-in schedule keeps the law. One from a plugin is held to it, here.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from arena.errors import ConfigError, PluginError
from arena.guard import blaming, broken
from arena.schedule.api import Schedule, Seating
from arena.tables import FOUR


def lawful_seatings(
    schedule: Schedule, bots: int, orbits: int, seed: str, seats: int = FOUR
) -> Iterator[Seating]:
    """The schedule's seatings, checked as they come. Raises PluginError at the first bad one, and
    at the end if there are not as many as the schedule counted."""
    given = 0
    for seating in _lawful(schedule, bots, orbits, seed, seats):
        given += 1
        yield seating
    if given != (promised := counted_matches(schedule, bots, orbits, seats)):
        raise _broken(schedule, f"`count` promises {promised} matches, `seatings` gives {given}")


def counted_matches(schedule: Schedule, bots: int, orbits: int, seats: int = FOUR) -> int:
    """How many matches the schedule promises. Raises PluginError if that is not a number."""
    with _blamed(schedule, "count"):
        promised = schedule.count(bots, orbits, *_size(schedule, schedule.count, seats))
    if isinstance(promised, bool) or not isinstance(promised, int) or promised < 0:
        raise _broken(schedule, f"`count` gives {promised!r}, not a number of matches")
    return promised


def _blamed(schedule: Schedule, member: str) -> AbstractContextManager[None]:
    return blaming(schedule, member, lambda what: _broken(schedule, what))


def _size(schedule: Schedule, method: Callable[..., object], seats: int) -> tuple[int, ...]:
    """The size of the table as an argument, if the method takes one. One that does not was written
    for tables of four. Raises ConfigError if the game has others."""
    if "seats" in inspect.signature(method).parameters:
        return (seats,)
    if seats == FOUR:
        return ()
    raise ConfigError(
        f"this format seats tables of four, and the game has {seats} seats",
        where=f"schedule {schedule.name!r}",
        mend="choose another format; `arena plugins` lists them",
    )


def _seatings(
    schedule: Schedule, bots: int, orbits: int, seed: str, seats: int
) -> Iterator[Seating]:
    with _blamed(schedule, "seatings"):
        size = _size(schedule, schedule.seatings, seats)
        yield from schedule.seatings(bots, orbits, seed, *size)


def _lawful(schedule: Schedule, bots: int, orbits: int, seed: str, seats: int) -> Iterator[Seating]:
    deal_set, seated = -1, set[tuple[int, int]]()
    for seating in _seatings(schedule, bots, orbits, seed, seats):
        if not isinstance(seating, Seating):
            raise _broken(schedule, f"`seatings` gives {type(seating).__name__}, not a Seating")
        if len(seating.seats) != seats:
            raise _broken(schedule, f"a table of {len(seating.seats)} seats instead of {seats}")
        if seating.deal_set != deal_set:
            if seating.deal_set != deal_set + 1:
                raise _broken(schedule, f"deal set {seating.deal_set} follows {deal_set}")
            deal_set, seated = seating.deal_set, set()
        for seat, bot in enumerate(seating.seats):
            if not 0 <= bot < bots:
                raise _broken(schedule, f"bot {bot} of {bots} in deal set {deal_set}")
            if (bot, seat) in seated:
                raise _broken(schedule, f"bot {bot} twice in seat {seat} on deal set {deal_set}")
            seated.add((bot, seat))
        yield seating


def _broken(schedule: Schedule, what: str) -> PluginError:
    return broken("schedule", schedule, f"a schedule breaks its promise: {what}")
