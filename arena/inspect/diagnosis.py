"""What is wrong with one process of the bot, looked into further than a run would.

A run stops at a fault. Here a silent bot is waited for, and then its input is ended, to tell one
that is late from one that keeps its answers in a buffer; and after a wrong line the right one is
waited for, to tell a wrong reply from one that came beside something else.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena.bots.bot import Bot
from arena.inspect.crash import hint_for
from arena.inspect.exchange import Exchange, after_end_of_input, answer_in, gather
from arena.inspect.findings import Finding, Place
from arena.inspect.notebook import Notebook
from arena.inspect.subject import Patience
from arena.inspect.verdicts import code_of, ran_out_of_memory, reason_of
from arena.referee.api import Clock
from arena.referee.evidence import shown, status_in_words
from arena.referee.pipes import StreamEndedError
from arena.referee.seat import Seat
from arena.referee.session import Breach

LOG_LINES = 5


@dataclass(frozen=True, slots=True)
class Question:
    """What the bot was asked: the id, where, what would have been right, and the time for it."""

    id: int
    place: Place
    expected: str
    limit_ms: float
    late_code: str = "timeout"


class Diagnosis:
    """Notes findings about the bot in one seat."""

    def __init__(
        self, seat: Seat, bot: Bot, notes: Notebook, clock: Clock, patience: Patience
    ) -> None:
        self._seat = seat
        self._bot = bot
        self._notes = notes
        self._clock = clock
        self._patience = patience
        self._log_is_shown = False

    def note(
        self,
        code: str,
        detail: str,
        place: Place,
        *,
        arrived: str = "",
        expected: str = "",
        status: str = "",
        log: str = "",
    ) -> None:
        """Notes a finding; its evidence as in `Finding`."""
        self._log_is_shown = self._log_is_shown or bool(log)
        hint = hint_for(self._bot, status, log) if code == "exited" else ""
        self._notes.add(Finding(code, detail, place, arrived, expected, status, log, hint=hint))

    def note_log(self, place: Place) -> None:
        """Notes that the bot writes a log, unless its last lines are another finding's evidence."""
        log = self.log()
        if log and not self._log_is_shown:
            self.note("log", "the last lines of its log", place, log=log)

    def log(self) -> str:
        """The last lines of the bot's standard error."""
        self._seat.pipes.drain_log()
        return self._seat.pipes.log.text(LOG_LINES)

    def unasked(self, breach: Breach, place: Place) -> None:
        """Notes output that nobody asked for."""
        self.note(
            code_of(breach, asked=False),
            reason_of(breach, asked=False),
            place,
            arrived=breach.arrived,
            expected="nothing until the next request",
        )

    def wrong(self, breach: Breach, came: Exchange, asked: Question) -> bytes:
        """Notes a wrong line in place of an answer, and gives what came while we looked on."""
        more, answered = b"", False
        if breach.line and not breach.fatal:
            more = gather(
                self._seat,
                self._patience.beside_ms,
                self._clock,
                lambda d: answer_in(came.raw + d, asked.id),
            )
            answered = bool(answer_in(came.raw + more, asked.id))
        self.note(
            code_of(breach, asked=True, answered=answered),
            reason_of(breach, asked=not answered),
            asked.place,
            arrived=breach.arrived,
            expected=asked.expected,
        )
        return more

    def silent(self, came: Exchange, asked: Question) -> bytes | None:
        """Notes that no answer came in time, and why; gives what came later, None if nothing can.

        Is it late, without its line feed, or held back? A bot that was asked that is at its end.
        """
        begun = self._seat.session.unfinished()
        if answer_in(begun, asked.id):
            detail = "the reply came, but no line feed after it"
            self.note(
                "no-newline", detail, asked.place, arrived=shown(begun), expected=asked.expected
            )
            return None
        if came.event is not None:
            self._late(came, came.used_ms, asked)
            return b""
        began = self._clock.now()
        more = gather(
            self._seat,
            self._patience.late_ms,
            self._clock,
            lambda found: answer_in(begun + found, asked.id),
        )
        waited_ms = came.used_ms + (self._clock.now() - began) * 1000
        if answer_in(begun + more, asked.id):
            self._late(came, waited_ms, asked)
            return more
        self._held_back(begun + more, waited_ms, asked)
        return None

    def ended(self, error: StreamEndedError, place: Place, expected: str) -> None:
        """Notes that the bot closed a pipe, or its process ended."""
        breach, status = self._seat.ended(error)
        log = self.log()
        code = "memory" if ran_out_of_memory(log) else code_of(breach, asked=False)
        self.note(code, breach.detail, place, expected=expected, status=status, log=log)

    def left_early(self, status: str, place: Place) -> None:
        """Notes that the bot left when a match was over, which costs it nothing but its start."""
        detail = f"the process ended with the match: {status}"
        self.note("one-match", detail, place, expected="another start, or quit", status=status)

    def _late(self, came: Exchange, after_ms: float, asked: Question) -> None:
        detail = f"the answer came after {after_ms:.0f} ms; the limit is {asked.limit_ms:.0f} ms"
        if came.stalled:
            detail += "; this machine had no processor to give for a part of that time"
        self.note(asked.late_code, detail, asked.place, expected=asked.expected)

    def _held_back(self, begun: bytes, waited_ms: float, asked: Question) -> None:
        """Ends the input of a silent bot and notes whether its answers come now."""
        if self._seat.link.exit(0) is not None:  # a child that it left behind holds the pipe
            self.ended(StreamEndedError("stdout"), asked.place, asked.expected)
            return
        found = begun + after_end_of_input(self._seat, self._patience.late_ms, self._clock)
        waited = f"within {waited_ms:.0f} ms; the limit is {asked.limit_ms:.0f} ms"
        kept = answer_in(found, asked.id)
        if kept:
            detail = f"nothing came {waited}; the answers came when the input ended"
            self.note("no-flush", detail, asked.place, arrived=shown(kept), expected=asked.expected)
            return
        end, log = self._seat.link.exit(0), self.log()
        grew = ran_out_of_memory(log) or (end is not None and end.memory)
        self.note(
            "memory" if grew else asked.late_code,
            f"{'only a part of a line' if found else 'nothing'} came {waited}",
            asked.place,
            arrived=shown(found),
            expected=asked.expected,
            status=status_in_words(end),
            log=log,
        )
