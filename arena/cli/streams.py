"""The standard streams, made safe to print to: closed, full, or with their reader gone.

Theory of operation. What a command has to say on stdout is its result: if it cannot be written,
that is an error with one line, whichever command it is and whoever prints. What it says on stderr
is only company: a full disk behind `2> log` must not end a tournament. So `safe_streams` puts a
watched file below each of the two. A process may also be started with a stream closed; the next
file that it opens would then take its number, and be written to by everybody who prints. Such a
number is taken at once, by a null device that refuses what is written to it if it is stdout's.
"""

from __future__ import annotations

import io
import os
import sys
from typing import TextIO

from arena.errors import ConfigError

_STDIN, _STDOUT, _STDERR = 0, 1, 2


class ReaderLeftError(Exception):
    """Nobody reads our stdout any more (`arena … | head`), which is the reader's right.

    Not an OSError: those end in other hands, such as a table's that believes a bot's pipe broke.
    """


class _Output(io.FileIO):
    """A file whose failing names it and says how to mend it."""

    def write(self, data: object) -> int | None:  # type: ignore[override]
        try:
            return super().write(data)  # type: ignore[arg-type]
        except BrokenPipeError:
            raise ReaderLeftError from None
        except OSError as error:
            raise ConfigError(
                f"cannot be written: {error.strerror}",
                where="stdout",
                mend="send it where there is room, or give --out where there is such an option",
            ) from None


class _Company(io.FileIO):
    """A file that swallows what cannot be written."""

    def write(self, data: object) -> int | None:  # type: ignore[override]
        try:
            return super().write(data)  # type: ignore[arg-type]
        except OSError:
            return len(bytes(data))  # type: ignore[call-overload]


def safe_streams() -> None:
    """`sys.stdout` and `sys.stderr` are watched, and all three standard numbers are taken."""
    for number, flags in ((_STDIN, os.O_RDONLY), (_STDOUT, os.O_RDONLY), (_STDERR, os.O_WRONLY)):
        _take(number, flags)
    sys.stdout = _watched(_Output(_STDOUT, "wb", closefd=False), sys.stdout)
    sys.stderr = _watched(_Company(_STDERR, "wb", closefd=False), sys.stderr)


def let_go() -> None:
    """Leaving raises nothing: what stdout still holds and cannot take goes nowhere."""
    try:
        sys.stdout.flush()
    except (ReaderLeftError, ConfigError):
        os.dup2(os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC), _STDOUT)


def _take(number: int, flags: int) -> None:
    try:
        os.fstat(number)
    except OSError:
        os.open(os.devnull, flags)  # the lowest free number is this one


def _watched(raw: io.FileIO, before: TextIO | None) -> io.TextIOWrapper:
    """A text stream like the one before it, that can print any text in any encoding."""
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=getattr(before, "encoding", "utf-8"),
        errors="backslashreplace",
        line_buffering=raw.fileno() == _STDERR or raw.isatty(),
    )
