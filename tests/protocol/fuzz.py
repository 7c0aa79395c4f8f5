"""Mangled reply lines, read by `parse_reply` and by a plain reader that must agree.

`python -m tests.fuzz` tries for an hour; the tests try a fixed number.
"""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Iterator

from arena_protocol import MISSING, LineBuffer, Malformed, Reply, parse_reply

from tests.protocol.spec_lines import SPEC_LINES

LIMIT_BYTES = 400
SEEDS = [
    line
    for row in SPEC_LINES
    for line in b"".join(row.pieces).split(b"\n")
    if 0 < len(line) < LIMIT_BYTES
]
SPLICES = (
    b'{ } [ ] : , " \\ \\" \\\\ - 0 1e5 1E999 .5 01 -0 7 true NaN \\u0069 \\ud83d \\ude00'
    b' \\u0000 "id": "action": "id":7, "action":3, \xed\xa0\xbd \xff \xef\xbb\xbf \0 \t \r'
).split(b" ")


def plain_reader(line: bytes) -> tuple[int, object] | None:
    """The id and action of a reply by the words of SPEC.md and the standard library; else None."""
    try:
        body = json.loads(
            line.decode("utf-8"),
            object_pairs_hook=_Pairs,
            parse_int=_number,
            parse_float=_number,
            parse_constant=_number,
        )
    except ValueError:
        return None
    if not isinstance(body, _Pairs):
        return None
    keys = [key for key, _ in body]
    if keys.count("id") != 1 or keys.count("action") > 1:
        return None
    fields = {"action": MISSING, **dict(body)}
    return (fields["id"], fields["action"]) if type(fields["id"]) is int else None


class _Pairs(list):
    """A JSON object with its repeated keys."""


def _number(text: str) -> float:
    if re.fullmatch("-?[0-9]+", text) and -(2**63) <= int(text) < 2**64:
        return int(text)
    if text in ("NaN", "Infinity", "-Infinity") or not math.isfinite(float(text)):
        raise ValueError(text)
    return float(text)


def mangled_lines(chance: random.Random) -> Iterator[bytes]:
    """Lines that are nearly right, without end."""
    while True:
        line = bytearray(chance.choice(SEEDS))
        for _ in range(chance.randrange(5)):
            at = chance.randrange(len(line) + 1)
            match chance.randrange(4):
                case 0:
                    del line[at : at + chance.randrange(1, 6)]
                case 1:
                    line[at:at] = chance.choice(SPLICES)
                case 2:
                    line[at : at + 1] = bytes([chance.randrange(256)])
                case _:
                    other = chance.choice(SEEDS)
                    line[at:] = other[chance.randrange(len(other)) :]
        yield bytes(line)


def try_line(line: bytes, chance: random.Random) -> None:
    """Fails if the two readers differ, or if cutting the line into pieces changes it."""
    _compare(parse_reply(line), plain_reader(line), line)
    buffer = LineBuffer(LIMIT_BYTES)
    stream = b"x\n" + line + b"\n"
    cuts = sorted(chance.randrange(len(stream) + 1) for _ in range(3))
    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    lines = [ended for piece in pieces for ended in buffer.feed(piece)]
    wanted = [b"x", *(ended.removesuffix(b"\r") for ended in line.split(b"\n"))]
    assert buffer.overflow or lines == wanted, line
    assert len(buffer.pending) <= LIMIT_BYTES, line


def _compare(reply: Reply | Malformed, plain: tuple[int, object] | None, line: bytes) -> None:
    if isinstance(reply, Malformed):
        assert plain is None, (line, reply)
        assert reply.reason.isprintable(), line
        return
    assert plain is not None, (line, reply)
    assert reply.id == plain[0], line
    expected = plain[1]
    if isinstance(expected, str):
        expected = re.sub("[\ud800-\udfff]", "\ufffd", expected)
    if not isinstance(expected, _Pairs | list):
        assert (type(reply.action), reply.action) == (type(expected), expected), line
