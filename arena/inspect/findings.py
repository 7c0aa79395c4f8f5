"""What an inspection can find: a table of codes, each with its level, its name and its mend.

A finding of level ERROR is a fault in a run. A WARNING costs no fault today, and is where one is
likely to come from, or where a match cannot be played again. INFO is worth knowing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any


class Level(StrEnum):
    """How grave a finding is, the gravest first."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Code:
    """One thing that can be found: how grave it is, its name in words, and what mends it."""

    level: Level
    title: str
    mend: str


_E, _W, _I = Level.ERROR, Level.WARNING, Level.INFO

CODES: Mapping[str, Code] = MappingProxyType(
    {
        "no-flush": Code(
            _E,
            "does not flush its output",
            "flush standard output after each reply: Python print(..., flush=True), "
            "C fflush(stdout), Java out.flush(), Go writer.Flush()",
        ),
        "no-newline": Code(
            _E,
            "does not end its reply with a line feed",
            "write a line feed after each reply, and flush after that",
        ),
        "start-timeout": Code(
            _E,
            "does not answer hello in time",
            "answer the hello message first and in time; load less before it, or ask for a "
            "longer start_ms",
        ),
        "timeout": Code(
            _E,
            "does not answer in time",
            "answer each message that has an id; stop thinking well before `clock.move_ms` and "
            "before `clock.match_ms` is used up",
        ),
        "prints": Code(
            _E,
            "prints on standard output",
            "write logs to standard error; nothing but replies may go to standard output",
        ),
        "stray-output": Code(
            _E,
            "writes what nobody asked for",
            "write one line for each message that has an id, after that message, and nothing else",
        ),
        "wrong-id": Code(
            _E,
            "answers with a wrong id",
            "copy `id` from the request into the reply; do not count by yourself (ids start again "
            "with each match)",
        ),
        "malformed": Code(
            _E,
            "sends a line that is no reply",
            'send one JSON object on one line, such as {"id":7,"action":3}',
        ),
        "illegal-action": Code(
            _E,
            "chooses an action that is not legal",
            "choose one entry of `legal` and send it as it stands there: a call is the number 3, "
            'a card the string "AS"',
        ),
        "output-limit": Code(
            _E,
            "floods standard output",
            "write logs to standard error; look for a loop that prints",
        ),
        "exited": Code(
            _E,
            "ends before it is told to",
            "read on until `quit` or the end of input comes; the last lines of the log say why "
            "it ended",
        ),
        "memory": Code(
            _E,
            "uses more memory than it may have",
            "free what is not needed any more, cap tables and caches, or ask for a higher "
            "memory_mb",
        ),
        "slow-start": Code(
            _W,
            "is slow to start",
            "load less before the reply to hello: a busier machine makes this a start-timeout",
        ),
        "slow-move": Code(
            _W,
            "is slow to move",
            "leave more of the limit unused: a busier machine makes this a timeout",
        ),
        "slow-match": Code(
            _W,
            "uses up its time for a match",
            "spread `clock.match_ms` over the decisions that are left",
        ),
        "memory-high": Code(
            _W,
            "comes near its memory limit",
            "cap tables and caches; what grows from match to match grows on in a long run",
        ),
        "idle-cpu": Code(
            _W,
            "computes while it is not asked",
            "rest once a reply is written: a bot that keeps the processor busy while others are "
            "asked is charged if one of them is late for it (unless pondering is allowed)",
        ),
        "not-reproducible": Code(
            _W,
            "plays another match from the same seed",
            "draw all chance from the `seed` of the start message, depend on no order of sets or "
            "hash maps, and do a fixed amount of work instead of watching the time",
        ),
        "left-over": Code(
            _W,
            "remembers an earlier match",
            "begin anew at each start message: reset what was remembered and seed the source of "
            "chance again",
        ),
        "one-match": Code(
            _W,
            "leaves after one match",
            "read on after `end`: another start may follow; a bot that leaves has to be started "
            "again for each match",
        ),
        "stays-on-quit": Code(
            _W,
            "does not leave on quit",
            "leave when `quit` comes or the input ends; what stays is killed",
        ),
        "exit-status": Code(
            _I,
            "leaves with an error",
            "end with exit status 0 after `quit`",
        ),
        "log": Code(
            _I,
            "writes to standard error",
            "nothing to mend: standard error is the bot's log, its last lines are kept with a "
            "fault",
        ),
    }
)
"""Every code, in the order of reports."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something was found: the process (from 1) and its match, then as a fault says it."""

    process: int
    match: str = ""
    deal: int | None = None
    trick: int | None = None

    def __str__(self) -> str:
        parts = [f"process {self.process}"]
        if self.match:
            parts.append(f"match {self.match}")
        if self.deal is not None:
            parts.append(f"deal {self.deal}")
            parts.append("the calls" if self.trick is None else f"trick {self.trick}")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding with its evidence; `count` says how often, the evidence is the first one's.

    `arrived` is what the bot sent, clipped and escaped, `status` how its process ended, `log` the
    last lines of its standard error; `hint` stands in for the code's where more is known. Texts are
    safe to print.
    """

    code: str
    detail: str
    place: Place
    arrived: str = ""
    expected: str = ""
    status: str = ""
    log: str = ""
    count: int = 1
    hint: str = ""

    @property
    def level(self) -> Level:
        return CODES[self.code].level

    @property
    def title(self) -> str:
        return CODES[self.code].title

    @property
    def mend(self) -> str:
        return self.hint or CODES[self.code].mend

    def __str__(self) -> str:
        head = f"{self.level.value}: {self.title} ({self.code}): {self.place}: {self.detail}"
        return "".join((head, *(f"\n  {name}: {text}" for name, text in self.evidence())))

    def evidence(self) -> list[tuple[str, str]]:
        """What is known beside the detail, and the mend: names and texts, in order."""
        shown = [(name, str(getattr(self, name))) for name in (*_EVIDENCE, "mend")]
        return [(name, text) for name, text in shown if text and text not in self.detail]

    def as_dict(self) -> dict[str, Any]:
        """The JSON form: evidence stands where there is some."""
        evidence = {key: value for key in _EVIDENCE if (value := getattr(self, key))}
        place = self.place
        return {
            "code": self.code,
            "level": self.level.value,
            "title": self.title,
            "detail": self.detail,
            **evidence,
            "process": place.process,
            "match": place.match,
            "deal": place.deal,
            "trick": place.trick,
            "count": self.count,
            "mend": self.mend,
        }


_EVIDENCE = ("arrived", "expected", "status", "log")
