"""One process of the bot, from its start to its end, with players of ours at its table.

Theory of operation. The referee's own core (`Match`, `Session`) drives the bot, so that what is a
fault here is one in a run. The bot has strikes without end: after a fault that leaves a
conversation it plays on, so that more than one thing can be found at once. `GoneError` ends a
process early: there is nothing more to be had from it, or it has shown enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from arena_protocol.replies import Reply

from arena.inspect.diagnosis import Diagnosis, Question
from arena.inspect.exchange import after_end_of_input, exchange, gather
from arena.inspect.findings import Place
from arena.inspect.memory import peak_memory_bytes
from arena.inspect.notebook import Measure, Notebook
from arena.inspect.play import Play
from arena.inspect.script import Program, Script
from arena.inspect.subject import Subject
from arena.process import Process, Usage
from arena.records import FaultKind
from arena.referee.api import Clock
from arena.referee.evidence import status_in_words
from arena.referee.hosting import hello_message
from arena.referee.match import Evidence
from arena.referee.pipes import StreamEndedError
from arena.referee.seat import Seat
from arena.referee.session import STRAY_LIMIT_BYTES, Breach

MOST_FAULTS = 8
MOST_TIMEOUTS = 3
"""After so many of one process we have seen enough of it."""


RESTLESS_MS = 500.0
"""So long is a bot looked at that computes when a match is over: compilers end sooner."""

BUSY_SHARE = 0.5
"""The share of a processor from which on a bot is busy."""


class GoneError(Exception):
    """This process is at its end for us; why has been noted."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One action of the bot and where in its match it was."""

    place: Place
    action: object


class Examination:
    """One process of the bot; `number` counts them from 1.

    It is spoilt once it cannot go on, and hopeless if another process would only tell the same and
    cost the same time again: the bot does not start, does not answer, or does little right.
    """

    def __init__(
        self,
        subject: Subject,
        program: Program,
        process: Process,
        number: int,
        notes: Notebook,
        clock: Clock,
    ) -> None:
        self.is_spoilt = False
        self.is_hopeless = False
        self._subject = subject
        self._program = program
        self._process = process
        self._number = number
        self._notes = notes
        self._clock = clock
        self._seat = Seat(process, subject.bot.name)
        self._diagnosis = Diagnosis(self._seat, subject.bot, notes, clock, subject.patience)
        self._matches = 0
        self._faults = 0
        self._timeouts = 0

    def greet(self) -> bool:
        """True if the bot has answered hello as a run wants it."""
        subject, session, limit_ms = self._subject, self._seat.session, self._subject.times.start_ms
        place = Place(self._number)
        asked = Question(0, place, '{"id":0}', limit_ms, late_code="start-timeout")
        hello = session.hello(
            hello_message(subject.bot.name, subject.game.name, subject.variant, subject.times)
        )
        came = exchange(
            self._seat, hello, limit_ms, lambda data, _: session.receive(data), self._clock
        )
        self._measure("start_ms", came.used_ms, limit_ms, place, stalled=came.stalled)
        if isinstance(came.event, Reply) and came.used_ms <= limit_ms:
            return True
        self.is_spoilt = self.is_hopeless = True
        if came.ended is not None:
            self._diagnosis.ended(came.ended, place, asked.expected)
        elif isinstance(came.event, Breach):
            self._diagnosis.wrong(came.event, came, asked)
        else:
            self._diagnosis.silent(came, asked)
        return False

    def play(self, script: Script) -> tuple[Decision, ...] | None:
        """What the bot did in one match; None if it did not do all of it as it should."""
        faults, place = self._faults, Place(self._number, script.name)
        self._matches += 1
        try:
            decisions = self._play(Play(self._subject, script, self._seat.session))
            self._look_after(place)
        except GoneError:
            self.is_spoilt = True
            return None
        return decisions if faults == self._faults else None

    def leave(self) -> None:
        """The bot has been asked to leave, and what it did then is noted. No process is left."""
        try:
            if not self.is_spoilt and not self._notes.count("stays-on-quit"):
                self._see_out(Place(self._number))
            self._diagnosis.note_log(Place(self._number))
        finally:
            self._process.kill()

    # A match.

    def _play(self, play: Play) -> tuple[Decision, ...]:
        decisions = []
        while play.next_turn():
            self._look_before(play)
            decision = self._decide(play)
            if decision is not None:
                decisions.append(decision)
        place = play.place(self._number)
        self._measure("match_ms", play.total_ms, self._subject.times.match_ms, place)
        try:
            self._seat.pipes.send(play.farewell())
        except StreamEndedError as error:
            self._end(play, error)
        return tuple(decisions)

    def _decide(self, play: Play) -> Decision | None:
        """The bot's answer to one request; None if it was a fault that leaves a conversation."""
        request, match = play.ask(), play.match
        place = play.place(self._number)
        asked = Question(int(play.message["id"]), place, play.expected(), match.limit_ms)
        self._notes.reached.update(self._program.reached(play.message))
        came = exchange(self._seat, request, asked.limit_ms, match.received, self._clock)
        if came.ended is not None:
            self._end(play, came.ended)
        play.answers += 1
        play.total_ms += came.used_ms
        self._measure("move_ms", came.used_ms, asked.limit_ms, place, stalled=came.stalled)
        self._measure_memory(place)
        if isinstance(came.event, Reply):
            return Decision(place, came.event.action)
        breach, more = came.event, None
        if breach is None or breach.kind is FaultKind.TIMEOUT:
            self._timeouts += 1
            breach = breach or match.expired(came.used_ms)
            more = self._diagnosis.silent(came, asked)
        else:
            more = self._diagnosis.wrong(breach, came, asked)
        self.is_hopeless = more is None or self._timeouts >= MOST_TIMEOUTS
        if more is None or self.is_hopeless:
            raise GoneError
        self._forgive(play, breach, came.used_ms)
        self._judge_strays(play, more)
        return None

    def _forgive(self, play: Play, breach: Breach, used_ms: float | None = None) -> None:
        """The bot plays on, if that is possible and there is more to find."""
        self._faults += 1
        self.is_hopeless = self._faults >= MOST_FAULTS
        if breach.fatal or self.is_hopeless:
            raise GoneError
        play.match.accuse(play.seat, breach, Evidence(used_ms))

    def _look_before(self, play: Play) -> None:
        """Judges what stands on stdout although nothing was asked."""
        if not (self._seat.session.has_spare or self._seat.pipes.poll(0)):
            return
        try:
            data = self._seat.pipes.look(STRAY_LIMIT_BYTES)
        except StreamEndedError as error:
            self._end(play, error)
        self._judge_strays(play, data)

    def _judge_strays(self, play: Play, data: bytes) -> None:
        breach = self._seat.session.unasked(data)
        if breach is not None:
            self._diagnosis.unasked(breach, play.place(self._number))
            self._forgive(play, breach)

    def _look_after(self, place: Place) -> None:
        """Judges what the bot does when a match is over: it should wait for the next."""
        before = self._process.usage()
        idle_ms = self._subject.patience.idle_ms
        data = gather(self._seat, idle_ms, self._clock, lambda found: False)
        if _is_busy(before, self._process.usage(), idle_ms):
            data += self._look_at_idle(place)
        breach = self._seat.session.unasked(data)
        if breach is not None:
            self._faults += 1
            self._diagnosis.unasked(breach, place)
        end = self._process.exit(0)
        if end is not None:
            self._diagnosis.left_early(status_in_words(end), place)
            raise GoneError

    def _look_at_idle(self, place: Place) -> bytes:
        """Notes a bot that computes though nobody asks it; what it wrote meanwhile."""
        before = self._process.usage()
        data = gather(self._seat, RESTLESS_MS, self._clock, lambda found: False)
        after = self._process.usage()
        if before is not None and after is not None and _is_busy(before, after, RESTLESS_MS):
            used_ms = after.cpu_ms - before.cpu_ms
            detail = f"{used_ms:.0f} ms of processor time in {RESTLESS_MS:.0f} ms after a match"
            self._diagnosis.note("idle-cpu", detail, place, expected="next to nothing")
        return data

    def _end(self, play: Play, error: StreamEndedError) -> NoReturn:
        """Notes that a pipe of the bot closed, and gives it up."""
        self._faults += 1
        place = play.place(self._number)
        if self._matches > 1 and not play.answers:
            self._diagnosis.left_early(self._seat.ended(error)[1], place)
        else:
            self._diagnosis.ended(error, place, play.expected())
        raise GoneError

    # The end.

    def _see_out(self, place: Place) -> None:
        grace_ms = self._subject.times.grace_ms
        patience_ms = max(self._subject.patience.leave_ms, grace_ms)
        began = self._clock.now()
        try:
            self._seat.pipes.send(self._seat.session.quit())
        except StreamEndedError:
            self._diagnosis.left_early(status_in_words(self._process.exit(0)), place)
            return
        if not self._has_left(patience_ms):
            after_end_of_input(self._seat, 0, self._clock)
            when = "it left when" if self._has_left(patience_ms) else "nor did it leave when"
            detail = f"still there {patience_ms:.0f} ms after quit; {when} its input ended"
            self._diagnosis.note("stays-on-quit", detail, place, expected="the process ends")
            return
        self._measure("leave_ms", (self._clock.now() - began) * 1000, grace_ms, place)
        end = self._process.exit(0)
        if end is not None and end.status != 0:
            words = status_in_words(end)
            self._diagnosis.note(
                "exit-status", f"after quit: {words}", place, expected="exit status 0", status=words
            )

    def _has_left(self, wait_ms: float) -> bool:
        """True if the process ends within that time; what it still writes is read and dropped."""
        until = self._clock.now() + wait_ms / 1000
        while self._process.exit(10) is None:
            if self._clock.now() >= until:
                return False
            gather(self._seat, 1, self._clock, lambda found: False)
        return True

    # Measures.

    def _measure(
        self, name: str, value: float, limit: float | None, place: Place, *, stalled: bool = False
    ) -> None:
        self._notes.measure(name, Measure(value, limit, place, stalled))

    def _measure_memory(self, place: Place) -> None:
        megabytes = peak_memory_bytes(self._process) / (1 << 20)
        if megabytes:
            self._measure("memory_mb", megabytes, self._subject.limits.memory_mb, place)


def _is_busy(before: Usage | None, after: Usage | None, span_ms: float) -> bool:
    if before is None or after is None:
        return False
    return after.cpu_ms - before.cpu_ms >= BUSY_SHARE * span_ms
