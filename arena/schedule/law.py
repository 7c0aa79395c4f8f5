"""The law of a deal set: on the same cards, no bot sits twice in the same seat.

A bot's process may be kept from match to match. Once a deal has been played all four hands are
known, so a process that met the same deal again would play with open cards. Processes are kept by
(bot, seat); while a schedule keeps this law, such a process can never be shown a deal twice, and
a runner needs no further care. A bot may still hold several seats of one table: these are several
processes, each of which sees its own hand alone.

Every built-in schedule keeps the law. One from a plugin is held to it, here.
"""

from __future__ import annotations

from collections.abc import Iterator

from arena.errors import PluginError
from arena.schedule.api import Schedule, Seating


def lawful_seatings(schedule: Schedule, bots: int, orbits: int, seed: str) -> Iterator[Seating]:
    """The schedule's seatings, checked as they come. Raises PluginError at the first bad one."""
    deal_set, seated = -1, set[tuple[int, int]]()
    for seating in schedule.seatings(bots, orbits, seed):
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
    return PluginError(
        f"a schedule breaks its promise: {what}",
        where=f"schedule {schedule.name!r}",
        mend="tell the author of the plugin; arena/schedule/law.py says what is promised",
    )
