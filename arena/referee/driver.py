"""Pumps pipes for the referee's core: plays one match, synchronously, with real processes.

One decision is: look at the bot's stdout (what stands there nobody asked for), write the request,
wait with one absolute deadline, read one line. The clock runs from the moment the write begins to
the moment the whole line is read. No write blocks and no wait lacks a deadline, so that the worst a
bot can do is to use up its limit.

A bot that is late because others of its core took it is cleared: whoever took much is charged and
killed, and the clock of the late one starts once more. That ends: each time somebody has taken a
good part of a limit, and whoever has taken STARVING_MS is gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from arena_protocol.replies import Reply

from arena.errors import ArenaError
from arena.games.api import State
from arena.records import FaultKind, MatchRecord
from arena.referee.api import (
    Clock,
    HostStalledError,
    Observer,
    RefereeStoppedError,
    StaleSeatError,
    Table,
)
from arena.referee.blame import game_blamed_for
from arena.referee.idle import begin, excess, measured, starving
from arena.referee.match import OVER, Evidence, Match
from arena.referee.pipes import StreamEndedError
from arena.referee.seat import Seat
from arena.referee.session import STRAY_LIMIT_BYTES, Breach, Phase
from arena.referee.stall import LATE_MS, PATIENCE_SHARE, STARVING_MS, Inquest, OwnWait, only_core

MOST_CLEARED = 20
"""So often may the clock of one move start once more: too often for limits that are above 10 ms."""

Bystanders = Callable[[], Sequence[Seat]]
"""The bots on this core that sit at no table now: they can take it from those who do."""

_READERS = (FaultKind.MALFORMED, FaultKind.ILLEGAL_ACTION)
"""After these a bot is likely to read the message that says so, and is given the time to."""


def _nobody() -> Sequence[Seat]:
    return ()


def play(
    table: Table,
    seats: Sequence[Seat],
    clock: Clock,
    observers: Iterable[Observer] = (),
    bystanders: Bystanders = _nobody,
) -> MatchRecord:
    """Plays a whole match and gives its record; the seats stay with the caller.

    A seat whose bot could not start, or is retired, is played by the fallback. Raises ArenaError if
    something of ours fails, or the game does not keep its interface: then the match is void.
    """
    driver: _Driver | None = None
    try:
        driver = _Driver(table, seats, clock, tuple(observers), bystanders)
        return driver.play()
    except (Exception, SystemExit) as error:
        blamed = game_blamed_for(error, table, driver.state if driver else None)
        if blamed is None:
            raise
        raise blamed from error


class _Driver:
    """One match being played."""

    def __init__(
        self,
        table: Table,
        seats: Sequence[Seat],
        clock: Clock,
        observers: tuple[Observer, ...],
        bystanders: Bystanders,
    ) -> None:
        for seat in seats:
            if seat.session.phase is not Phase.IDLE and seat.breach is None:
                raise ArenaError(f"the process of {seat.bot} cannot play", where=table.match)
        self._table = table
        self._seats = tuple(seats)
        self._match = Match(table, [seat.session for seat in seats])
        self._now = clock.now
        self._observers = observers
        self._bystanders = bystanders
        self._pause_idle = table.rules.pause_idle
        self._counts = bool(table.rules.idle_cpu_ms) and only_core() >= 0
        self._condemned: list[tuple[float, Seat]] = []
        self._own_wait = OwnWait()

    @property
    def state(self) -> State:
        """The match as the game has it."""
        return self._match.state

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
                continue
            if self._counts:
                begin(seat, self._now())
            if self._pause_idle:
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
            breach, status = seat.ended(error)
            self._accuse(number, breach, Evidence(status=status))

    def _exchange(self, number: int, request: bytes) -> None:
        """Writes the request and waits for the answer until the deadline.

        As long as this because every decision takes its time here.
        """
        seat, match, now = self._seats[number], self._match, self._now
        pipes, limit_ms = seat.pipes, match.limit_ms
        watch: Inquest | None = None
        until_ms = limit_ms * PATIENCE_SHARE
        overslept_ms = used_ms = watched_ms = 0.0
        cleared = 0
        event: Reply | Breach | None = None
        began = now()
        pipes.send(request)
        while event is None and used_ms < limit_ms:
            if used_ms >= until_ms:
                watch, watched_ms, until_ms = self._watch(number), used_ms, limit_ms
            data = pipes.receive(until_ms - used_ms)
            used_ms = (now() - began) * 1000
            if used_ms > until_ms:
                overslept_ms = max(overslept_ms, used_ms - until_ms)
                if (
                    used_ms > limit_ms
                    and cleared < MOST_CLEARED
                    and self._is_cleared(number, watch, used_ms - watched_ms)
                ):
                    seat.asked_ms += used_ms
                    until_ms = 0.0 if watch is None else limit_ms * PATIENCE_SHARE
                    began, used_ms, overslept_ms, watch = now(), 0.0, 0.0, None
                    cleared += 1
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
        if stalled:
            self._refuse(number, used_ms, overslept_ms)
        self._accuse(number, breach, Evidence(used_ms, int(limit_ms), status, host_stalled=stalled))

    def _watch(self, number: int) -> Inquest:
        """An inquest into a slow move, with everybody else on the core as suspects."""
        self._own_wait.begin()
        others = (*self._seats, *self._bystanders()) if self._counts else ()
        return Inquest(self._seats[number], [s for s in others if s is not self._seats[number]])

    def _is_cleared(self, number: int, watch: Inquest | None, watched_ms: float) -> bool:
        """True if others had the core and the bot is late for it. Who took much of it is killed.

        Without a watch we slept from before it was due until after the limit: then nobody knows,
        and the clock starts once more to find out.
        """
        if not self._counts or watch is None:
            return self._counts
        if not watch.is_starved(self._match.limit_ms):
            return False
        burners = watch.burners(watched_ms)
        for seat, taken_ms in burners.items():
            seat.taken_ms += taken_ms
            if seat.taken_ms >= STARVING_MS and seat.link.exit(0) is None:
                self._convict(seat, starving(seat.taken_ms, self._seats[number].bot))
        return bool(burners)

    def _convict(self, seat: Seat, breach: Breach) -> None:
        """Charges a bot that was not asked, here or at its next table, and kills it at once."""
        if seat not in self._seats:
            seat.condemn(breach)
            return
        number = self._seats.index(seat)
        if not self._match.is_retired(number):
            self._accuse(number, breach, Evidence())
        seat.link.kill()

    def _refuse(self, number: int, used_ms: float, overslept_ms: float) -> None:
        """Voids the match in which a bot had no fair chance, if the organiser wants that."""
        policy, where = self._table.rules.on_host_stall, self._table.match
        if policy == "charge":
            return
        if (stopped_ms := self._own_wait.stopped_ms(overslept_ms)) >= LATE_MS:
            raise RefereeStoppedError(
                f"the referee was stopped for {stopped_ms:.0f} ms while it timed a move",
                where=where,
                mend="play it again",
            )
        if policy == "auto":
            return
        raise HostStalledError(
            f"{self._seats[number].bot} had to be given {used_ms:.0f} ms for a move, "
            "while this machine had no processor to give",
            where=where,
            mend="run fewer workers, or raise the limits",
        )

    def _look(self, number: int) -> bytes:
        data = self._seats[number].pipes.look(STRAY_LIMIT_BYTES)
        if data and self._observers:
            self._show_received(number, data)
        return data

    def _accuse(self, number: int, breach: Breach, evidence: Evidence) -> None:
        """Completes the evidence, charges the bot, and sees to it that a retired one leaves.

        Raises StaleSeatError if it may have done it because of an earlier match.
        """
        seat = self._seats[number]
        if seat.matches and not self._match.has_decided(number):
            raise StaleSeatError(
                f"{seat.bot}, which has played before: {breach.detail}", where=self._table.match
            )
        seat.was_charged = True
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
            if self._counts and seat.session.phase is Phase.PLAYING:
                self._tally(number)
        for number, data in self._match.farewells():
            if self._pause_idle:
                self._seats[number].link.resume()
            self._write(number, data)
            self._seats[number].matches += 1
        self._execute(all_of_them=True)

    def _tally(self, number: int) -> None:
        """Measures, now and then, what the bot used outside its turns."""
        seat = self._seats[number]
        idle_ms = measured(seat, self._match.asked_ms(number), self._now())
        if idle_ms is None:
            return
        self._match.note_idle(number, idle_ms)
        breach = excess(idle_ms, self._table.rules.idle_cpu_ms, seat.unlooked)
        seat.unlooked = 0
        if breach is not None:
            self._accuse(number, breach, Evidence())

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
