"""Reads one reply line of a bot: `parse_reply` never raises, whatever the bytes are.

One JSON parser (orjson) is the only judge of syntax. It keeps the last of two equal keys in
silence, so a line in which `id` or `action` could stand twice is scanned once more: either its
bytes spell the key more than once, or they hold a backslash that may spell it in disguise.
A lone surrogate (`"\\ud83d"`, as a program leaves that clips UTF-16 text) is no Unicode text and
stops the parser; it is replaced by U+FFFD and costs nobody a match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

import orjson

PLAIN_LIMIT_BYTES: Final = 64
PLAIN_REMEMBERED: Final = 8192
NOTE_LIMIT_CHARS = 1000
NAME_LIMIT_CHARS = 100
_SHOWN_CHARS = 40
_BACKSLASH = 0x5C


class Missing(Enum):
    """The type of `MISSING`."""

    MISSING = "missing"


MISSING: Final = Missing.MISSING
"""The `action` of a reply that has none; null is an action that was sent."""


class Reply(NamedTuple):
    """One JSON object with an integer `id`. Whether it answers the question is the referee's.

    `action` is as JSON gave it: any type. `note` is clipped to NOTE_LIMIT_CHARS characters;
    `name` and `version` (of a reply to hello) to NAME_LIMIT_CHARS. A note, name or version that
    is no string counts as absent, as an unknown field does.
    """

    id: int
    action: object = MISSING
    note: str | None = None
    name: str | None = None
    version: str | None = None


class Malformed(NamedTuple):
    """The line is no reply. `reason` says what it is instead: it completes "the line is …"."""

    reason: str


def parse_reply(line: bytes) -> Reply | Malformed:
    """The reply on a line (without its line end), or why it is none."""
    try:
        body = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        if _BACKSLASH in line:
            return _parse_carefully(line)
        return Malformed(_syntax_reason(line, error))
    if type(body) is dict and len(body) == 2 == line.count(b":") and _BACKSLASH not in line:
        # The usual case: `id` and `action`, and no room for a key that stands twice.
        number, action = body.get("id"), body.get("action", MISSING)
        if type(number) is int and action is not MISSING:
            return Reply(number, action)
    if _BACKSLASH in line or line.count(b'"id"') > 1 or line.count(b'"action"') > 1:
        return _parse_carefully(line)
    return _read(body)


@lru_cache(PLAIN_REMEMBERED)
def plain_reply(data: bytes) -> Reply | None:
    """What `parse_reply` gives, if `data` is one whole short line with `id` and `action` alone.

    None for everything else, whether it is a reply or not. Bots write the same few lines again and
    again; a bounded number of them is remembered. So that they take bounded memory too, ask for no
    more than PLAIN_LIMIT_BYTES.
    """
    if len(data) > PLAIN_LIMIT_BYTES:
        return None
    if data.find(b"\n") != len(data) - 1:
        return None
    reply = parse_reply(data[:-1].removesuffix(b"\r"))
    if isinstance(reply, Malformed) or reply.action is MISSING:
        return None
    return reply if reply == Reply(reply.id, reply.action) else None


def same_action(action: object, legal: int | str) -> bool:
    """True if both have the same JSON type and value: true is not 1, and 3.0 is not 3."""
    return type(action) is type(legal) and action == legal


def action_index(action: object, legal: Sequence[int | str]) -> int:
    """Where `action` stands in `legal`, compared as `same_action` does; -1 if it does not."""
    for index, candidate in enumerate(legal):
        if type(action) is type(candidate) and action == candidate:
            return index
    return -1


def describe(action: object) -> str:
    """An action in a few words that are safe to print, whatever a bot sent."""
    if action is MISSING:
        return "no action"
    if isinstance(action, list):
        return "a list"
    if isinstance(action, dict):
        return "an object"
    text = orjson.dumps(action).decode().replace("\x7f", "\\x7f")
    shown = text[:_SHOWN_CHARS].encode("ascii", "backslashreplace").decode()
    return shown if len(text) <= _SHOWN_CHARS else shown + "…"


def _read(body: object) -> Reply | Malformed:
    if type(body) is not dict:
        return Malformed(f"{_json_type(body)}, not an object")
    number = body.get("id", MISSING)
    if type(number) is not int:
        return Malformed(_id_reason(number))
    action = body.get("action", MISSING)
    return Reply(
        number,
        action,
        _clipped(body.get("note"), NOTE_LIMIT_CHARS),
        _clipped(body.get("name"), NAME_LIMIT_CHARS),
        _clipped(body.get("version"), NAME_LIMIT_CHARS),
    )


def _clipped(value: object, limit_chars: int) -> str | None:
    return value[:limit_chars] if isinstance(value, str) and value else None


def _id_reason(number: object) -> str:
    if number is MISSING:
        return "an object without an id"
    return f"an object whose id is {describe(number)}, not an integer"


# The careful path.

_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_TOKEN = re.compile(_STRING + rb"(?P<colon>[ \t\r\n]*+:)?|[{}\[\]]", re.DOTALL)
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(?P<lone>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)


def _parse_carefully(line: bytes) -> Reply | Malformed:
    try:
        body = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        whole = _without_lone_surrogates(line)
        if whole != line:
            return _parse_carefully(whole)
        return Malformed(_syntax_reason(line, error))
    seen = set()
    for key in _top_level_keys(line):
        if key in seen:
            return Malformed(f"an object with two keys `{key}`")
        if key in ("id", "action"):
            seen.add(key)
    return _read(body)


def _without_lone_surrogates(line: bytes) -> bytes:
    return _ESCAPE.sub(lambda m: rb"\ufffd" if m["lone"] else m[0], line)


def _top_level_keys(line: bytes) -> Iterator[str]:
    """The keys of the outermost object, decoded, in order. `line` is valid JSON."""
    depth = 0
    for token in _TOKEN.finditer(line):
        match line[token.start()]:
            case 0x7B | 0x5B:  # { [
                depth += 1
            case 0x7D | 0x5D:  # } ]
                depth -= 1
            case _ if depth == 1 and (colon := token["colon"]):
                yield orjson.loads(token[0].removesuffix(colon))


# Words for the author of a bot; these need not be fast.


def _syntax_reason(line: bytes, error: orjson.JSONDecodeError) -> str:
    if not line.strip():
        return "an empty line"
    if b"\0" in line:
        return f"a line with a NUL byte at byte {line.index(0) + 1}"
    try:
        text = line.decode()
    except UnicodeDecodeError as flaw:
        return f"not UTF-8 at byte {flaw.start + 1}"
    if text.startswith("\ufeff"):
        return "a line with a byte order mark that is not at the very start of the output"
    if not text.lstrip().startswith("{"):
        return "not a JSON object (only replies go to stdout, a log goes to stderr)"
    return _where_json_ends(text, error)


def _where_json_ends(text: str, error: orjson.JSONDecodeError) -> str:
    for word in ("NaN", "Infinity"):
        if text.startswith(word, error.pos):
            return f"not JSON: {word} at character {error.pos + 1}"
    try:
        orjson.loads(text[: error.pos])
    except orjson.JSONDecodeError:
        return f"not JSON: {error.msg} at character {error.pos + 1}"
    return f"more than one JSON object: text follows at character {error.pos + 1}"


def _json_type(value: object) -> str:
    names = {list: "a list", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")
