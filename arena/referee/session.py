"""One bot's dialogue over the whole life of its process: bytes in, events out.

Theory of operation. A session has no pipe, no clock and no process, so everything a bot can do is
tried in a test without waiting. The driver hands it what arrived (`receive`, `unasked`) and writes
what it gives (`hello`, `ask`, `end` …). What a bot has to be told while it is not asked is kept and
travels with its next request in one write: one message wakes one bot.

A session judges form: is this one reply, to the open request? Whether the action in it is legal is
the match's question. A request that was settled without its answer is *owed*: the answer may still
come, and is dropped by its id.

TRANSITIONS is the whole life of a dialogue; `table()` prints it. A step that is not in the table is
a bug of ours and raises `LocalProtocolError`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple

from arena_protocol.framing import LINE_LIMIT_BYTES, LineBuffer, encode
from arena_protocol.replies import PLAIN_LIMIT_BYTES, Malformed, Reply, parse_reply, plain_reply

from arena.records import FaultKind
from arena.referee.evidence import shown

STRAY_LIMIT_BYTES: Final = LINE_LIMIT_BYTES
"""Output nobody asked for is `malformed` below this many bytes in one look, else a flood."""


class Phase(StrEnum):
    """Where a dialogue stands."""

    NEW = "new"
    GREETING = "greeting"
    IDLE = "idle"
    PLAYING = "playing"
    ASKED = "asked"
    OVER = "over"


class Step(StrEnum):
    """What moves a dialogue on."""

    HELLO = "hello"
    GREETED = "greeted"
    START = "start"
    ASK = "ask"
    ANSWERED = "answered"
    FORGIVEN = "forgiven"
    END = "end"
    RETIRE = "retire"
    QUIT = "quit"


TRANSITIONS: Mapping[Phase, Mapping[Step, Phase]] = {
    Phase.NEW: {Step.HELLO: Phase.GREETING, Step.RETIRE: Phase.OVER},
    Phase.GREETING: {
        Step.GREETED: Phase.IDLE,
        Step.RETIRE: Phase.OVER,
        Step.QUIT: Phase.OVER,
    },
    Phase.IDLE: {
        Step.START: Phase.PLAYING,
        Step.RETIRE: Phase.OVER,
        Step.QUIT: Phase.OVER,
    },
    Phase.PLAYING: {
        Step.ASK: Phase.ASKED,
        Step.FORGIVEN: Phase.PLAYING,
        Step.END: Phase.IDLE,
        Step.RETIRE: Phase.OVER,
        Step.QUIT: Phase.OVER,
    },
    Phase.ASKED: {
        Step.ANSWERED: Phase.PLAYING,
        Step.FORGIVEN: Phase.PLAYING,
        Step.RETIRE: Phase.OVER,
        Step.QUIT: Phase.OVER,
    },
    Phase.OVER: {},
}


# A member of an enumeration is looked up slowly; these two are asked for in every decision.
_PLAYING: Final = Phase.PLAYING
_ASKED: Final = Phase.ASKED


class LocalProtocolError(Exception):
    """Our own code took a step that the dialogue does not have here."""


class Breach(NamedTuple):
    """What a bot did wrong, before anybody has gathered the evidence for a Fault.

    `fatal` means that the dialogue cannot go on, whatever strikes are left. `line` is the whole
    line that is wrong, where there is one; `arrived` is what may be shown of it.
    """

    kind: FaultKind
    detail: str
    arrived: str = ""
    fatal: bool = False
    line: bytes = b""


def clock_json(move_ms: int, match_ms: int) -> str:
    """What a request tells a bot of its time."""
    return f'{{"move_ms":{move_ms},"match_ms":{match_ms}}}'


class Session:
    """The dialogue with one bot process. `name` and `version` are what its hello reply said."""

    __slots__ = ("_lines", "_next_id", "_open_id", "_owed", "_spare", "_untold", "name", "phase",
                 "version")  # fmt: skip

    def __init__(self) -> None:
        self.phase = Phase.NEW
        self.name = ""
        self.version = ""
        self._lines = LineBuffer(LINE_LIMIT_BYTES)
        self._untold: list[bytes] = []
        self._spare: list[bytes] = []
        self._owed: set[int] = set()
        self._next_id = 1
        self._open_id = 0

    @property
    def owes(self) -> bool:
        """True if an answer that nobody waits for any more may still come."""
        return bool(self._owed)

    # What the referee says. Each gives the bytes to write now, or keeps them for the next request.

    def hello(self, message: Mapping[str, Any]) -> bytes:
        """The first line of all; `message` is completed with the id 0."""
        self._step(Step.HELLO)
        return encode({"type": "hello", "id": 0, **message})

    def start(self, line: bytes) -> None:
        """A match begins. Its requests are numbered from 1."""
        self._step(Step.START)
        self._next_id = 1
        self._untold.append(line)

    def tell(self, line: bytes) -> None:
        """Keeps a notification for the bot's next request (or the end of the match)."""
        self._untold.append(line)

    def ask(self, kind: str, clock: str, state: str, legal: str) -> bytes:
        """A request and everything that the bot was not told yet, to be written at once.

        `clock`, `state` and `legal` are compact JSON.
        """
        if self.phase is not _PLAYING:
            raise LocalProtocolError(f"{Step.ASK} while {self.phase}")
        self.phase = _ASKED  # as the table says, without looking it up for every decision
        number = self._open_id = self._next_id
        self._next_id = number + 1
        line = (
            f'{{"type":"act","id":{number},"kind":"{kind}",'
            f'"clock":{clock},"state":{state},"legal":{legal}}}\n'
        ).encode()
        return self._with_untold(line) if self._untold else line

    def end(self, line: bytes) -> bytes:
        """The match is over; the bot waits for the next one."""
        self._step(Step.END)
        return self._with_untold(line)

    def forgive(self, line: bytes) -> None:
        """The bot plays on after a fault. If it was asked, it owes that answer from now on."""
        if self.phase is Phase.ASKED:
            self._owed.add(self._open_id)
        self._step(Step.FORGIVEN)
        self._untold.append(line)

    def retire(self, line: bytes) -> bytes:
        """The bot's part is over; it is told why and nothing else any more."""
        self._step(Step.RETIRE)
        self._untold.clear()
        return line

    def quit(self) -> bytes:
        """The bot is asked to leave."""
        self._step(Step.QUIT)
        return self._with_untold(encode({"type": "quit"}))

    # What the bot says.

    def receive(self, data: bytes) -> Reply | Breach | None:
        """The answer to the open request or what is wrong instead; None if more must come.

        What follows the answer is kept and judged by the next `unasked`.
        """
        if (
            len(data) <= PLAIN_LIMIT_BYTES and self.phase is _ASKED and self._lines.between_lines
        ):  # the usual case: one whole line, with what was asked for alone
            usual = plain_reply(data)
            if usual is not None and usual.id == self._open_id:
                self.phase = _PLAYING
                return usual
        lines = self._lines.feed(data)
        for index, line in enumerate(lines):
            reply = parse_reply(line)
            if isinstance(reply, Reply) and reply.id in self._owed:
                self._owed.discard(reply.id)
                continue
            self._spare = lines[index + 1 :]
            if isinstance(reply, Reply) and reply.id == self._open_id:
                return self._settled(reply)
            return self._wrong(line, reply)
        return self._too_long() if self._lines.overflow else None

    def unasked(self, data: bytes = b"") -> Breach | None:
        """Judges what came while nothing was asked: late answers are dropped, the rest is wrong.

        Of several such lines the first is the evidence; all are consumed.
        """
        lines = self._spare + self._lines.feed(data)
        self._spare = []
        if len(data) >= STRAY_LIMIT_BYTES:
            detail = f"{len(data)} bytes or more of output that nobody asked for"
            return Breach(FaultKind.OUTPUT_LIMIT, detail, shown(data), fatal=True)
        strays = [line for line in lines if not self._is_owed(line)]
        if self._lines.overflow:
            return self._too_long()
        if not strays and self._lines.pending and not self._owed:
            strays = [self._lines.pending]
            self._lines.drop()
        return self._stray(strays[0]) if strays else None

    @property
    def has_spare(self) -> bool:
        """True if output is at hand that is still to be judged by `unasked`."""
        return bool(self._spare) or not self._lines.between_lines

    def unfinished(self) -> bytes:
        """The line that has begun to arrive and has not ended: evidence."""
        return self._lines.pending

    # Inside.

    def _step(self, step: Step) -> None:
        try:
            self.phase = TRANSITIONS[self.phase][step]
        except KeyError:
            raise LocalProtocolError(f"{step} while {self.phase}") from None

    def _settled(self, reply: Reply) -> Reply:
        if self.phase is Phase.ASKED:
            self._step(Step.ANSWERED)
        else:
            self._step(Step.GREETED)
            self.name, self.version = reply.name or "", reply.version or ""
        return reply

    def _with_untold(self, line: bytes) -> bytes:
        data = b"".join((*self._untold, line))
        self._untold.clear()
        return data

    def _is_owed(self, line: bytes) -> bool:
        reply = parse_reply(line)
        if isinstance(reply, Reply) and reply.id in self._owed:
            self._owed.discard(reply.id)
            return True
        return False

    def _wrong(self, line: bytes, reply: Reply | Malformed) -> Breach:
        expected = f'one JSON object with "id":{self._open_id}'
        if isinstance(reply, Reply):
            detail = f"the reply has the id {reply.id}; expected {expected}"
        else:
            detail = f"the reply is {reply.reason}; expected {expected}"
        return Breach(FaultKind.MALFORMED, detail, shown(line), line=line)

    def _stray(self, line: bytes) -> Breach:
        detail = "output that nobody asked for (only replies go to stdout, a log goes to stderr)"
        return Breach(FaultKind.MALFORMED, detail, shown(line), line=line)

    def _too_long(self) -> Breach:
        detail = f"a line of more than {LINE_LIMIT_BYTES} bytes"
        line = self._lines.pending
        return Breach(FaultKind.MALFORMED, detail, shown(line), fatal=True, line=line)


def table() -> str:
    """TRANSITIONS as text, a line for each: phase, step, next phase."""
    return "\n".join(
        f"{phase.value:<9} {step.value:<9} -> {after.value}"
        for phase, row in TRANSITIONS.items()
        for step, after in row.items()
    )
