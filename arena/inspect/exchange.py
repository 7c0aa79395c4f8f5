"""One question to a bot: written at once, answered until a deadline, or looked into afterwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from arena_protocol.framing import LINE_LIMIT_BYTES
from arena_protocol.replies import Reply, parse_reply

from arena.referee.api import Clock
from arena.referee.pipes import StreamEndedError
from arena.referee.seat import Seat
from arena.referee.session import Breach
from arena.referee.stall import PATIENCE_SHARE, HostWatch

Take = Callable[[bytes, float], Reply | Breach | None]
"""Judges bytes that came after so many milliseconds; None if more must come."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """What came of a question: `event` is None if nothing whole came in time.

    `raw` is everything that came. `ended` is set if a pipe of the bot closed meanwhile. `stalled`:
    the host had no processor to give for a good part of the time.
    """

    event: Reply | Breach | None
    used_ms: float
    raw: bytes = b""
    ended: StreamEndedError | None = None
    stalled: bool = False


def exchange(seat: Seat, request: bytes, limit_ms: float, take: Take, clock: Clock) -> Exchange:
    """Writes the request and waits for the answer until the deadline."""
    event: Reply | Breach | None = None
    raw, used_ms, until_ms = b"", 0.0, limit_ms * PATIENCE_SHARE
    watch: HostWatch | None = None
    ended: StreamEndedError | None = None
    began = clock.now()
    try:
        seat.pipes.send(request)
        while event is None and used_ms < limit_ms:
            if used_ms >= until_ms:
                watch, until_ms = HostWatch(seat.link), limit_ms
            data = seat.pipes.receive(until_ms - used_ms)
            used_ms = (clock.now() - began) * 1000
            if data:
                raw += data
                event = take(data, used_ms)
    except StreamEndedError as error:
        ended = error
    stalled = watch is not None and watch.is_starved(limit_ms)
    return Exchange(event, used_ms, raw, ended, stalled)


def gather(seat: Seat, wait_ms: float, clock: Clock, enough: Callable[[bytes], object]) -> bytes:
    """What comes within `wait_ms`, or until it is `enough`, or a line too long, or the end."""
    found, until = b"", clock.now() + wait_ms / 1000
    try:
        while not enough(found) and len(found) <= LINE_LIMIT_BYTES:
            left_ms = (until - clock.now()) * 1000
            if left_ms <= 0:
                break
            found += seat.pipes.receive(left_ms)
    except StreamEndedError:
        pass
    return found


def after_end_of_input(seat: Seat, wait_ms: float, clock: Clock) -> bytes:
    """What a bot writes once its input has ended: the answers that it kept back, if it did."""
    seat.pipes.drop_unsent()
    seat.link.close_stdin()
    return gather(seat, wait_ms, clock, lambda found: False)


def answer_in(data: bytes, number: int) -> bytes:
    """The first line that is a reply with that id, or b"". The last one may lack its line feed."""
    for line in data.split(b"\n"):
        reply = parse_reply(line.removesuffix(b"\r"))
        if isinstance(reply, Reply) and reply.id == number:
            return line
    return b""
