"""Single keys from a terminal, by name."""

from __future__ import annotations

import os
import select
import termios
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_SEQUENCES = {
    b"\x1b[A": "up",
    b"\x1b[B": "down",
    b"\x1b[C": "right",
    b"\x1b[D": "left",
    b"\x1bOA": "up",
    b"\x1bOB": "down",
    b"\x1bOC": "right",
    b"\x1bOD": "left",
    b"\x1b[H": "home",
    b"\x1b[F": "end",
    b"\x1bOH": "home",
    b"\x1bOF": "end",
    b"\x1b[1~": "home",
    b"\x1b[4~": "end",
    b" ": "space",
    b"\r": "enter",
    b"\n": "enter",
    b"\x04": "q",
    b"": "q",
}
_SEQUENCE_MS = 30
"""How long the rest of an escape sequence may take: terminals send it in one piece."""


@contextmanager
def keys_of(descriptor: int) -> Iterator[Callable[[], str]]:
    """Gives a function that waits for the next key; the terminal is as before afterwards.

    A key is a character or a name: up, down, left, right, home, end, space, enter. The end of the
    input is the key `q`. Ctrl-C interrupts as always.
    """
    before = termios.tcgetattr(descriptor)
    tty.setcbreak(descriptor)
    try:
        yield lambda: _next_key(descriptor)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _next_key(descriptor: int) -> str:
    data = os.read(descriptor, 1)
    while data.startswith(b"\x1b") and data not in _SEQUENCES and len(data) < 8:
        if not select.select([descriptor], [], [], _SEQUENCE_MS / 1000)[0]:
            break
        data += os.read(descriptor, 1)
    return _SEQUENCES.get(data) or data.decode(errors="replace")
