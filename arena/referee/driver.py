"""Pumps pipes for the referee's core: plays one match, synchronously, with real processes.

One decision is: look at the bot's stdout (what stands there nobody asked for), write the request,
wait with one absolute deadline, read one line. The clock runs from the moment the write begins to
the moment the whole line is read. No write blocks and no wait lacks a deadline, so that the worst a
bot can do is to use up its limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from arena_protocol.replies import Reply

from arena.errors import ArenaError
from arena.records import FaultKind, MatchRecord
from arena.referee.api import Clock, HostStalledError, Observer, SeatLeftError, Table
from arena.referee.match import OVER, Evidence, Match
from arena.referee.pipes import StreamEndedError
from arena.referee.seat import Seat
from arena.referee.session import STRAY_LIMIT_BYTES, Breach, Phase
from arena.referee.stall import LATE_MS, PATIENCE_SHARE, HostWatch

_READERS = (FaultKind.MALFORMED, FaultKind.ILLEGAL_ACTION)
"""After these a bot is likely to read the message that says so, and is given the time to."""


def play(
    table: Table, seats: Sequence[Seat], clock: Clock, observers: Iterable[Observer] = ()
) -> MatchRecord:
    """Plays a whole match and gives its record; the seats stay with the caller.

    A seat whose bot could not start, or is retired, is played by the fallback. Raises ArenaError if
    something of ours fails: then the match is void.
    """
    return _Driver(table, seats, clock, tuple(observers)).play()


class _Driver:
    """One match being played."""

    def __init__(
        self, table: Table, seats: Sequence[Seat], clock: Clock, observers: tuple[Observer, ...]
    ) -> None:
        for seat in seats:
            if seat.session.phase is not Phase.IDLE and seat.breach is None:
                raise ArenaError(f"the process of {seat.bot} cannot play", where=table.match)
        self._table = table
        self._seats = tuple(seats)
        self._match = Match(table, [seat.session for seat in seats])
        self._now = clock.now
        self._observers = observers
        self._pause_idle = table.rules.pause_idle
        self._condemned: list[tuple[float, Seat]] = []

    def play(self) -> MatchRecord:
        try:
            return self._play()
        except OSError as error:
            raise ArenaError(f"a pipe to a bot failed: {error}", where=self._table.match) from error

    def _play(self) -> MatchRecord:
        match = self._match
        for number, seat in enumerate(self._seats):
            if seat.breach is not None:
                match.accuse(number, seat.breach, seat.evidence)
            elif self._pause_idle:
                seat.link.pause()
        while (number := match.turn()) != OVER:
            self._decide(number)
            if self._condemned:
                self._execute()
        self._finish()
        return match.record()

    def _decide(self, number: int) -> None:
        """One decision of one bot: settled by its answer, or by a fault."""
        seat, match = self._seats[number], self._match
        try:
            if seat.session.has_spare or seat.pipes.poll(0):
                breach = seat.session.unasked(self._look(number))
                if breach is not None:
                    self._accuse(number, breach, Evidence())
                    if match.is_retired(number):
                        return
            request = match.request()
            if self._observers:
                self._show_sent(number, request)
            if self._pause_idle:
                seat.link.resume()
            self._exchange(number, request)
            if self._pause_idle and not match.is_retired(number):
                seat.link.pause()
        except StreamEndedError as error:
            if seat.matches and not match.has_decided(number):
                raise SeatLeftError(f"{seat.bot} left after its last match") from error
            breach, status = seat.ended(error)
            self._accuse(number, breach, Evidence(status=status))

    def _exchange(self, number: int, request: bytes) -> None:
        """Writes the request and waits for the answer until the deadline.

        As long as this because every decision takes its time here.
        """
        seat, match, now = self._seats[number], self._match, self._now
        pipes, limit_ms = seat.pipes, match.limit_ms
        watch: HostWatch | None = None
        until_ms = limit_ms * PATIENCE_SHARE
        overslept_ms = used_ms = 0.0
        event: Reply | Breach | None = None
        began = now()
        pipes.send(request)
        while event is None and used_ms < limit_ms:
            if used_ms >= until_ms:
                watch, until_ms = HostWatch(seat.link), limit_ms
            data = pipes.receive(until_ms - used_ms)
            used_ms = (now() - began) * 1000
            if used_ms > until_ms:
                overslept_ms = max(overslept_ms, used_ms - until_ms)
            if data:
                if self._observers:
                    self._show_received(number, data)
                event = match.received(data, used_ms)
        if isinstance(event, Reply):
            return
        breach, status = (event, "") if event else seat.silent(match.expired(used_ms))
        stalled = breach.kind is FaultKind.TIMEOUT and (
            overslept_ms >= LATE_MS or (watch is not None and watch.is_starved(limit_ms))
        )
        if stalled and self._table.rules.on_host_stall == "void":
            raise self._void(number, used_ms)
        self._accuse(number, breach, Evidence(used_ms, int(limit_ms), status, host_stalled=stalled))

    def _void(self, number: int, used_ms: float) -> HostStalledError:
        return HostStalledError(
            f"{self._seats[number].bot} had to be given {used_ms:.0f} ms for a move, "
            "while this machine had no processor to give",
            where=self._table.match,
            mend="run fewer workers, or raise the limits",
        )

    def _look(self, number: int) -> bytes:
        data = self._seats[number].pipes.look(STRAY_LIMIT_BYTES)
        if data and self._observers:
            self._show_received(number, data)
        return data

    def _accuse(self, number: int, breach: Breach, evidence: Evidence) -> None:
        """Completes the evidence, charges the bot, and sees to it that a retired one leaves."""
        seat = self._seats[number]
        seat.pipes.drain_log()
        evidence = replace(evidence, stderr=seat.pipes.log.text())
        last_words = self._match.accuse(number, breach, evidence)
        if not self._match.is_retired(number):
            return
        if self._pause_idle:
            seat.link.resume()
        self._write(number, last_words)
        reads = breach.kind in _READERS and not breach.fatal
        grace_ms = self._table.rules.limits.grace_ms if reads else 0
        self._condemned.append((self._now() + grace_ms / 1000, seat))

    def _write(self, number: int, data: bytes) -> None:
        """Writes to a bot that is asked nothing: it may read it or not."""
        if self._observers:
            self._show_sent(number, data)
        try:
            self._seats[number].pipes.send(data)
        except StreamEndedError:
            return

    def _execute(self, *, all_of_them: bool = False) -> None:
        """Kills the retired bots whose grace is over."""
        moment = self._now()
        for entry in tuple(self._condemned):
            if all_of_them or entry[0] <= moment:
                self._condemned.remove(entry)
                entry[1].link.kill()

    def _finish(self) -> None:
        """Looks at every stdout a last time, says farewell, and kills who was retired."""
        for number, seat in enumerate(self._seats):
            if seat.session.phase is Phase.PLAYING:
                self._last_look(number)
        for number, data in self._match.farewells():
            if self._pause_idle:
                self._seats[number].link.resume()
            self._write(number, data)
            self._seats[number].matches += 1
        self._execute(all_of_them=True)

    def _last_look(self, number: int) -> None:
        try:
            breach = self._seats[number].session.unasked(self._look(number))
        except StreamEndedError:
            return  # it owed nothing any more
        if breach is not None:
            self._accuse(number, breach, Evidence())

    def _show_sent(self, number: int, data: bytes) -> None:
        for observer in self._observers:
            observer.sent(number, data)

    def _show_received(self, number: int, data: bytes) -> None:
        for observer in self._observers:
            observer.received(number, data)
