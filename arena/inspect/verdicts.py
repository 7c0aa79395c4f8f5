"""From what the referee holds against a bot to the code of a finding."""

from __future__ import annotations

import orjson
from arena_protocol.replies import Malformed, parse_reply

from arena.records import FaultKind
from arena.referee.session import Breach

_PLAIN = {
    FaultKind.ILLEGAL_ACTION: "illegal-action",
    FaultKind.OUTPUT_LIMIT: "output-limit",
    FaultKind.MEMORY: "memory",
    FaultKind.EXITED: "exited",
    FaultKind.START_TIMEOUT: "start-timeout",
    FaultKind.TIMEOUT: "timeout",
    FaultKind.IDLE_CPU: "idle-cpu",
}

OUT_OF_MEMORY = (
    "MemoryError",
    "bad_alloc",
    "OutOfMemoryError",
    "out of memory",
    "Cannot allocate memory",
    "memory allocation of",
)
"""What a program's last words hold when it was refused memory and ended by itself."""


def code_of(breach: Breach, *, asked: bool, answered: bool = False) -> str:
    """The code of a breach. `answered`: the right answer came as well, beside the wrong line."""
    if breach.kind is not FaultKind.MALFORMED:
        return _PLAIN[breach.kind]
    reply = parse_reply(breach.line)
    if breach.fatal:
        return "malformed" if _is_json_like(breach.line) else "output-limit"
    if not isinstance(reply, Malformed):
        return "wrong-id" if asked and not answered else "stray-output"
    if not _is_json_like(breach.line):
        return "prints"
    return "malformed" if asked and not answered else "stray-output"


def reason_of(breach: Breach, *, asked: bool) -> str:
    """What is wrong, in words, without what was expected."""
    if breach.kind is FaultKind.MALFORMED and breach.line and not breach.fatal:
        reply = parse_reply(breach.line)
        if isinstance(reply, Malformed):
            return f"the line is {reply.reason}"
        what = "the reply has" if asked else "nobody asked for a reply with"
        return f"{what} the id {reply.id}"
    if breach.kind is FaultKind.ILLEGAL_ACTION:
        return f"the action is {breach.arrived}"
    return breach.detail


def ran_out_of_memory(log: str) -> bool:
    """True if a program's last words say that it was refused memory."""
    return any(words in log for words in OUT_OF_MEMORY)


def _is_json_like(line: bytes) -> bool:
    """True if the line was meant as JSON: it begins as an object, or is some JSON value."""
    if line.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        return True
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    return True
