"""Evidence in words, for the author of a bot: what arrived, how a process ended, its last lines."""

from __future__ import annotations

import signal

from arena.referee.api import Exit

SHOWN_BYTES = 200
LOG_TAIL_BYTES = 8 * 1024


def shown(data: bytes, limit: int = SHOWN_BYTES) -> str:
    """Bytes of a bot, clipped and escaped: printable ASCII whatever it sent."""
    text = data[:limit].decode("utf-8", "backslashreplace")
    safe = "".join(c if c.isascii() and c.isprintable() else _escaped(c) for c in text)
    return safe if len(data) <= limit else f"{safe}… ({len(data)} bytes)"


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def status_in_words(end: Exit | None) -> str:
    """How a process ended: `exit status 3`, `signal 11 (SIGSEGV)`, `still running`."""
    if end is None:
        return "still running"
    if end.signal is not None:
        words = f"signal {end.signal} ({_signal_name(end.signal)})"
    else:
        words = f"exit status {end.status}"
    return f"{words}: {end.detail}" if end.detail else words


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"


class LogTail:
    """The last LOG_TAIL_BYTES of a bot's log, however much it writes."""

    __slots__ = ("_held", "limit_bytes")

    def __init__(self, limit_bytes: int = LOG_TAIL_BYTES) -> None:
        self.limit_bytes = limit_bytes
        self._held = bytearray()

    def add(self, data: bytes) -> None:
        self._held += data[-self.limit_bytes :]
        del self._held[: -self.limit_bytes]

    def text(self, lines: int = 40) -> str:
        """The last lines, undecodable bytes escaped, control characters but line ends too."""
        decoded = self._held.decode("utf-8", "backslashreplace")
        kept = decoded.rstrip("\n").split("\n")[-lines:]
        return "\n".join(
            "".join(c if c.isprintable() or c == "\t" else _escaped(c) for c in line)
            for line in kept
        )
