"""The wire contract of callbreak-arena for Python programs. SPEC.md is its normative text.

What a referee needs for each decision stands here and imports no pydantic: `encode` makes the
bytes of a message, `LineBuffer` cuts a bot's output into lines, `parse_reply` reads one of them.
The models live in `messages` (both ways), `record` (finished matches) and `manifest` (bot.toml).
"""

from arena_protocol.framing import LINE_LIMIT_BYTES, LineBuffer, encode
from arena_protocol.replies import (
    MISSING,
    NOTE_LIMIT_CHARS,
    Malformed,
    Reply,
    action_index,
    describe,
    parse_reply,
    same_action,
)

PROTOCOL_VERSION = 1

__all__ = [
    "LINE_LIMIT_BYTES",
    "MISSING",
    "NOTE_LIMIT_CHARS",
    "PROTOCOL_VERSION",
    "LineBuffer",
    "Malformed",
    "Reply",
    "action_index",
    "describe",
    "encode",
    "parse_reply",
    "same_action",
]
