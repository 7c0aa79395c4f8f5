"""Bytes to lines and messages to bytes, in bounded memory.

A bot may write its output in pieces of any size, may end lines with CRLF, and may begin its very
first line with a UTF-8 byte order mark. A line is counted without its LF; one that is longer than
the limit ends the conversation, whether or not its LF has come: how the bytes were cut into
pieces changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import orjson

LINE_LIMIT_BYTES: Final = 64 * 1024
_BOM: Final = b"\xef\xbb\xbf"


def encode(message: Mapping[str, object]) -> bytes:
    """The line of a message: compact JSON, UTF-8, LF."""
    return orjson.dumps(message, option=orjson.OPT_APPEND_NEWLINE)


class LineBuffer:
    """Cuts a stream into lines and never holds more than `limit_bytes` of an unfinished one.

    `overflow` is True from the moment a line is longer than `limit_bytes`; whatever follows is
    dropped. `between_lines` is True while no line is begun, once the first one has come.
    """

    __slots__ = ("_at_start", "_held", "between_lines", "limit_bytes", "overflow")

    def __init__(self, limit_bytes: int = LINE_LIMIT_BYTES) -> None:
        self.limit_bytes = limit_bytes
        self.overflow = False
        self._held = bytearray()
        self._at_start = True
        self.between_lines = False

    @property
    def pending(self) -> bytes:
        """The unfinished line: what is left at end of file, or how a too long line begins."""
        return bytes(self._held)

    def drop(self) -> None:
        """Forgets the unfinished line."""
        self._held.clear()
        self.between_lines = True

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that `data` completes, without line ends; none after an overflow.

        Feed pieces of bounded size: the lines of one piece are returned together.
        """
        last = len(data) - 1
        if self.between_lines and 0 <= last == data.find(b"\n") and last <= self.limit_bytes:
            # The usual case, one whole line: a short way, since every decision takes it.
            return [data[:-2] if data.endswith(b"\r\n") else data[:-1]]
        if self.overflow or not data:
            return []
        lines = self._cut(data)
        if self._at_start and lines:
            self._at_start = False
            lines[0] = lines[0].removeprefix(_BOM)
        self.between_lines = not (self._held or self._at_start or self.overflow)
        return [line[:-1] if line.endswith(b"\r") else line for line in lines]

    def _cut(self, data: bytes) -> list[bytes]:
        held = self._held
        lines: list[bytes] = []
        *ended, rest = data.split(b"\n")
        for piece in ended:
            if not self._hold(piece):
                return lines
            lines.append(bytes(held))
            held.clear()
        self._hold(rest)
        return lines

    def _hold(self, piece: bytes) -> bool:
        """Adds to the unfinished line; False, keeping what fits, if that makes it too long."""
        room = self.limit_bytes - len(self._held)
        self._held += piece[:room]
        self.overflow = len(piece) > room
        return not self.overflow
