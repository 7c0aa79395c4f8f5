"""How bot processes join and leave: `greet` says hello to all at once, `dismiss` sees them out."""

from __future__ import annotations

import contextlib
import select
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from arena_protocol import PROTOCOL_VERSION
from arena_protocol.replies import Reply

from arena.errors import SandboxError
from arena.records import FaultKind
from arena.referee.api import BotLink, Clock, Exit, TimeLimits
from arena.referee.match import Evidence
from arena.referee.pipes import StreamEndedError
from arena.referee.seat import Seat
from arena.referee.session import STRAY_LIMIT_BYTES, Breach, Phase
from arena.referee.stall import LATE_MS, OwnWait


def greet(
    links: Sequence[BotLink],
    bots: Sequence[str],
    game: str,
    variant: Mapping[str, Any],
    limits: TimeLimits,
    clock: Clock,
) -> list[Seat]:
    """Every bot has said hello or has a breach; none waits for another. Any number may start.

    `bots` are the names that they are told. Bots that could not start are killed, and so is one
    whose sandbox failed before the bot was reached: it has no breach but a `failure`. The links
    stay the caller's.
    """
    began = clock.now()
    seats = [Seat(link, bot) for link, bot in zip(links, bots, strict=True)]
    waiting: set[Seat] = set()
    for seat in seats:
        seat.hello = seat.session.hello(hello_message(seat.bot, game, variant, limits))
        if _says_hello(seat):
            waiting.add(seat)
    _await_replies(waiting, limits.start_ms, began, clock)
    return seats


def hello_message(
    bot: str, game: str, variant: Mapping[str, Any], limits: TimeLimits
) -> dict[str, Any]:
    """What a bot is told first; its session completes it with type and id."""
    return {
        "protocol": PROTOCOL_VERSION,
        "game": game,
        "variant": variant,
        "bot": bot,
        "limits": {
            "start_ms": limits.start_ms,
            "move_ms": limits.move_ms,
            "match_ms": limits.match_ms,
        },
    }


def dismiss(seats: Iterable[Seat], clock: Clock, grace_ms: float) -> list[Exit | None]:
    """No process of these seats is left: quit, end of input, a short grace for all, then the kill.

    Gives how each left by itself, or None for those that had to be killed.
    """
    leaving = list(seats)
    deadline = clock.now() + grace_ms / 1000
    try:
        for seat in leaving:
            _ask_to_leave(seat)
        return [_seen_out(seat, deadline, clock) for seat in leaving]
    finally:
        with contextlib.ExitStack() as rest:  # nobody stays because another could not be closed
            for seat in leaving:
                rest.callback(seat.link.close)
                rest.callback(seat.link.kill)


def _says_hello(seat: Seat) -> bool:
    with _in_our_hands(seat):
        try:
            seat.pipes.send(seat.hello)
        except StreamEndedError as error:
            _fail(seat, *seat.ended(error))
    return seat.session.phase is not Phase.OVER


@contextlib.contextmanager
def _in_our_hands(seat: Seat) -> Iterator[None]:
    """What ends in this block before the bot was reached is the seat's failure, not its breach."""
    try:
        yield
    except SandboxError as error:
        seat.fail(error)


def _await_replies(waiting: set[Seat], start_ms: int, began: float, clock: Clock) -> None:
    """Each seat is greeted, or failed at the latest at `start_ms`, without what we were stopped."""
    own_wait = OwnWait()
    crowd = select.poll()
    for seat in waiting:
        crowd.register(seat.pipes.stdout, select.POLLIN)
    while waiting and (used_ms := (clock.now() - began) * 1000) < start_ms:
        wait_ms = min(start_ms - used_ms, _LOG_PERIOD_MS)
        crowd.poll(wait_ms)
        overslept_ms = (clock.now() - began) * 1000 - used_ms - wait_ms
        if overslept_ms >= LATE_MS:
            began += own_wait.stopped_ms(overslept_ms) / 1000
        used_ms = (clock.now() - began) * 1000
        for seat in tuple(waiting):
            if _is_settled(seat, used_ms, start_ms):
                crowd.unregister(seat.pipes.stdout)
                waiting.remove(seat)
    for seat in waiting:
        _fail_late(seat, (clock.now() - began) * 1000, start_ms)


_LOG_PERIOD_MS = 10
"""While bots start, their logs are read at least this often, so that none blocks on its own."""


def _is_settled(seat: Seat, used_ms: float, start_ms: int) -> bool:
    with _in_our_hands(seat):
        return _has_answered(seat, used_ms, start_ms)
    return True


def _has_answered(seat: Seat, used_ms: float, start_ms: int) -> bool:
    try:
        event = seat.session.receive(seat.pipes.receive(0))
    except StreamEndedError as error:
        _fail(seat, *seat.ended(error))
        return True
    if event is None:
        return False
    if isinstance(event, Reply) and used_ms > start_ms:
        _fail_late(seat, used_ms, start_ms)
    elif isinstance(event, Breach):
        _fail(seat, event, "", used_ms, start_ms)
    seat.start_ms = used_ms
    return True


def _fail_late(seat: Seat, used_ms: float, start_ms: int) -> None:
    detail = f"no reply to hello within {start_ms} ms"
    with _in_our_hands(seat):
        breach, status = seat.silent(Breach(FaultKind.START_TIMEOUT, detail, fatal=True))
        _fail(seat, breach, status, used_ms, start_ms)


def _fail(
    seat: Seat,
    breach: Breach,
    status: str,
    used_ms: float | None = None,
    limit_ms: int | None = None,
) -> None:
    """The bot could not start: keeps the evidence and kills it."""
    seat.pipes.drain_log()
    seat.breach = breach
    seat.evidence = Evidence(used_ms, limit_ms, status, seat.pipes.log.text())
    seat.session.retire(b"")
    seat.link.kill()


def _ask_to_leave(seat: Seat) -> None:
    if seat.session.phase in (Phase.OVER, Phase.NEW):
        return
    seat.link.resume()
    with contextlib.suppress(StreamEndedError):
        seat.pipes.send(seat.session.quit())
    seat.pipes.drop_unsent()
    seat.link.close_stdin()


def _seen_out(seat: Seat, deadline: float, clock: Clock) -> Exit | None:
    """How it ended by itself before the deadline. Its pipes are emptied, so that it can."""
    while True:
        left_ms = (deadline - clock.now()) * 1000
        end = seat.link.exit(max(0.0, min(left_ms, _LOG_PERIOD_MS)))
        if end is not None or left_ms <= 0 or seat.breach is not None:
            return end
        with contextlib.suppress(StreamEndedError):
            seat.pipes.look(STRAY_LIMIT_BYTES)
