"""Processor time that a bot uses outside its turns: measured between matches, and charged.

A bot has the core to itself in its turns, so it cannot have used more in them than they lasted:
whatever it used beyond that, it used while others were asked. This errs in its favour (what it
sleeps in its own turns counts as used), and it is enough to look now and then: a reading costs some
30 µs, a table of quick bots plays a match in 20 ms, and what it could do in that is no matter.
"""

from __future__ import annotations

from typing import Final

from arena.records import FaultKind
from arena.referee.seat import Seat
from arena.referee.session import Breach

LOOK_S: Final = 0.5
"""A seat is looked at once in so much time, at the end of a match."""


def begin(seat: Seat, now: float) -> None:
    """Counts from now on, if it has not been counting before."""
    if seat.used is None:
        seat.used = seat.link.usage()
        seat.looked_at, seat.asked_ms, seat.unlooked = now, 0.0, 0


def measured(seat: Seat, asked_ms: float, now: float) -> float | None:
    """What it used outside its turns since the last look, in ms; None if it is too early to look.

    `asked_ms` is how long its turns of the match lasted that is over now.
    """
    seat.asked_ms += asked_ms
    seat.unlooked += 1
    if seat.used is None or now - seat.looked_at < LOOK_S:
        return None
    before, seat.used = seat.used, seat.link.usage()
    if seat.used is None:
        return None
    idle_ms = max(0.0, seat.used.cpu_ms - before.cpu_ms - seat.asked_ms)
    seat.looked_at, seat.asked_ms = now, 0.0
    return idle_ms


def excess(idle_ms: float, allowed_ms: int, matches: int) -> Breach | None:
    """The breach of a bot that used more than it may in so many matches."""
    if not allowed_ms or idle_ms <= allowed_ms * matches:
        return None
    span = "a match" if matches == 1 else f"{matches} matches"
    return _breach(
        f"it used {idle_ms:.0f} ms of processor time in {span} while others were asked; "
        f"{allowed_ms * matches} ms are allowed"
    )


def starving(taken_ms: float, late: str) -> Breach:
    """The breach of a bot that took the core from another one, which therefore was late."""
    return _breach(
        f"it used {taken_ms:.0f} ms of processor time while {late} was asked, which was late for it"
    )


def _breach(detail: str) -> Breach:
    return Breach(FaultKind.IDLE_CPU, detail, fatal=True)
