"""A seat with no process behind it: whoever decides sits in this program, or nobody does.

Theory of operation. The driver writes to a seat's channel and reads from it; a `LocalChannel` hands
what was written to a `Decider` and gives the decision back as the reply line of a bot. So a person
(or a script) plays by the very referee that bots play by. There is no clock for a decider: the
table's clock stands still (`StandingClock`) while it decides, and it is charged nothing.

The seat of a bot that could not be started has a `NoChannel`: the fallback plays there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

import orjson
from arena_protocol.framing import encode

from arena.errors import SandboxError
from arena.games.api import WireAction
from arena.referee.api import Clock, Exit, Usage
from arena.referee.evidence import LogTail
from arena.referee.seat import Seat


class Decider(Protocol):
    """Sits at the table. Messages are those of the wire; the decision must be a legal one."""

    def hear(self, message: Mapping[str, Any]) -> None:
        """Is told something that wants no answer."""
        ...

    def decide(self, request: Mapping[str, Any]) -> WireAction:
        """One of `request["legal"]`."""
        ...


class StandingClock:
    """A clock that can be made to stand still."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._stood_s = 0.0

    def now(self) -> float:
        """Seconds since some fixed instant, without those for which it stood."""
        return self._clock.now() - self._stood_s

    @contextmanager
    def standing(self) -> Iterator[None]:
        """No time passes on this clock in the block."""
        began = self._clock.now()
        try:
            yield
        finally:
            self._stood_s += self._clock.now() - began


class LocalChannel:
    """A channel whose other end is a decider in this program."""

    def __init__(self, decider: Decider, clock: StandingClock) -> None:
        self.stdout = -1
        self.log = LogTail()
        self._decider = decider
        self._clock = clock
        self._request: Mapping[str, Any] | None = None

    def poll(self, wait_ms: float, /) -> list[tuple[int, int]]:
        """Never anything that nobody asked for."""
        return []

    def send(self, data: bytes) -> None:
        """Tells the decider everything but the request, which waits for `receive`."""
        for line in data.splitlines():
            message = orjson.loads(line)
            if message["type"] == "act":
                self._request = message
            else:
                self._decider.hear(message)

    def receive(self, wait_ms: float) -> bytes:
        """The reply to the open request, however long it takes."""
        request, self._request = self._request, None
        if request is None:
            return b""
        with self._clock.standing():
            action = self._decider.decide(request)
        return encode({"id": request["id"], "action": action})

    def look(self, limit_bytes: int) -> bytes:
        return b""

    def drain_log(self) -> None:
        """There is no log."""

    def drop_unsent(self) -> None:
        """Nothing is ever kept back."""


class NoChannel:
    """A channel without any other end: nothing comes, and nothing is heard."""

    stdout = -1

    def __init__(self) -> None:
        self.log = LogTail()

    def poll(self, wait_ms: float, /) -> list[tuple[int, int]]:
        return []

    def send(self, data: bytes) -> None:
        """Nobody hears it."""

    def receive(self, wait_ms: float) -> bytes:
        return b""

    def look(self, limit_bytes: int) -> bytes:
        return b""

    def drain_log(self) -> None:
        """There is no log."""

    def drop_unsent(self) -> None:
        """Nothing is ever kept back."""


class NoProcess:
    """The link of a seat without a process: there is nothing to pause, to kill or to close."""

    stdin = stdout = stderr = -1

    def exit(self, wait_ms: float) -> Exit | None:
        return None

    def cpu_wait_ms(self) -> float:
        return 0.0

    def usage(self) -> Usage | None:
        return None

    def kill(self) -> None:
        """Nothing to do."""

    def pause(self) -> None:
        """Nothing to do."""

    def resume(self) -> None:
        """Nothing to do."""

    def close_stdin(self) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Nothing to do."""


def local_seat(decider: Decider, name: str, clock: StandingClock) -> Seat:
    """A greeted seat in which the decider plays."""
    seat = Seat(NoProcess(), name, LocalChannel(decider, clock))
    seat.session.hello({})
    seat.session.receive(encode({"id": 0}))
    return seat


def absent_seat(name: str, failure: SandboxError) -> Seat:
    """The seat of a bot that could not be started."""
    seat = Seat(NoProcess(), name, NoChannel())
    seat.fail(failure)
    return seat
