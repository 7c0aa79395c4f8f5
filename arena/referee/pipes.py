"""The three pipes of one bot, seen from our end: nothing here blocks, everything is bounded.

What does not fit into the bot's stdin is kept and written as room comes; the bot's log is read on
the way and only its tail is kept. The pollers are set up once and live as long as the process.
"""

from __future__ import annotations

import os
import select
from typing import Final, Protocol

from arena.referee.api import BotLink
from arena.referee.evidence import LogTail

READ_BYTES: Final = 16 * 1024
_REPLY_BYTES: Final = 400
"""More than most replies have. The interpreter keeps room of this size at hand; for a larger piece
it goes to the system's allocator, which costs more than the read."""
_LOG_READS_AT_ONCE: Final = 64

# Looked up in their module they would cost every decision as much as what they do.
_os_write: Final = os.write
_os_read: Final = os.read


class StreamEndedError(Exception):
    """The bot's end of `stream` (stdin or stdout) is closed."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self.stream = stream


class Channel(Protocol):
    """What the driver needs of a seat's pipes; `local.py` has one without any process behind it."""

    stdout: int
    log: LogTail

    def poll(self, wait_ms: float, /) -> list[tuple[int, int]]:
        """Which descriptors have something to read; empty if none within `wait_ms`."""
        ...

    def send(self, data: bytes) -> None: ...

    def receive(self, wait_ms: float) -> bytes: ...

    def look(self, limit_bytes: int) -> bytes: ...

    def drain_log(self) -> None: ...

    def drop_unsent(self) -> None: ...


class Pipes:
    """Our ends of a bot's stdin, stdout and stderr, which stay the link's property."""

    __slots__ = ("_log_open", "_poller", "_unsent", "log", "poll", "stderr", "stdin", "stdout")

    def __init__(self, link: BotLink) -> None:
        self.stdin, self.stdout, self.stderr = link.stdin, link.stdout, link.stderr
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(descriptor, False)
        self.log = LogTail()
        self._unsent = b""
        self._log_open = True
        self._poller = select.poll()
        self._poller.register(self.stdout, select.POLLIN)
        self._poller.register(self.stderr, select.POLLIN)
        self.poll = self._poller.poll

    def send(self, data: bytes) -> None:
        """Writes what fits and keeps the rest. Raises StreamEndedError if nobody can read it."""
        if self._unsent:
            self._unsent += data
            return self._flush()
        try:
            written = _os_write(self.stdin, data)
        except BlockingIOError:
            written = 0
        except (BrokenPipeError, ConnectionResetError):
            raise StreamEndedError("stdin") from None
        if written < len(data):
            self._unsent = data[written:]
            self._poller.register(self.stdin, select.POLLOUT)
        return None

    def drop_unsent(self) -> None:
        """Forgets what could not be written yet; `stdin` may be closed after this."""
        if self._unsent:
            self._unsent = b""
            self._poller.unregister(self.stdin)

    def receive(self, wait_ms: float) -> bytes:
        """What came on stdout within `wait_ms`; empty if nothing did. Raises StreamEndedError.

        May return earlier without anything, having read the log or written what was kept.
        """
        ready = self.poll(wait_ms)
        if not ready:
            return b""
        if ready[0][0] == self.stdout:  # registered first, so named first
            data = self._read(_REPLY_BYTES)
            return data + self._rest() if len(data) == _REPLY_BYTES else data
        for descriptor, _ in ready:
            if descriptor == self.stderr:
                self._read_log()
            elif descriptor == self.stdin:
                self._flush()
        return b""

    def look(self, limit_bytes: int) -> bytes:
        """All that stands on stdout now, up to about `limit_bytes`; reads the log meanwhile."""
        found = b""
        while (ready := self.poll(0)) and len(found) < limit_bytes:
            descriptors = [descriptor for descriptor, _ in ready]
            if self.stderr in descriptors:
                self.drain_log()
            if self.stdout not in descriptors:
                break
            try:
                found += self._read(READ_BYTES)
            except StreamEndedError:
                if found:
                    break  # judge what was said; the end is found again by the next look
                raise
        return found

    def drain_log(self) -> None:
        """Reads what stands on stderr now (bounded: a bot may write faster than we read)."""
        for _ in range(_LOG_READS_AT_ONCE):
            if not self._log_open or not self._read_log():
                return

    def _read(self, size: int) -> bytes:
        try:
            data = _os_read(self.stdout, size)
        except BlockingIOError:
            return b""
        except ConnectionResetError:
            data = b""
        if not data:
            raise StreamEndedError("stdout")
        return data

    def _rest(self) -> bytes:
        """What follows a piece that filled its room. An end of file is found again later."""
        try:
            return self._read(READ_BYTES)
        except StreamEndedError:
            return b""

    def _read_log(self) -> int:
        try:
            data = _os_read(self.stderr, READ_BYTES)
        except BlockingIOError:
            return 0
        except ConnectionResetError:
            data = b""
        if not data:
            self._log_open = False
            self._poller.unregister(self.stderr)
        self.log.add(data)
        return len(data)

    def _flush(self) -> None:
        try:
            written = _os_write(self.stdin, self._unsent)
        except BlockingIOError:
            return
        except (BrokenPipeError, ConnectionResetError):
            raise StreamEndedError("stdin") from None
        self._unsent = self._unsent[written:]
        if not self._unsent:
            self._poller.unregister(self.stdin)
