"""Was it the bot that was late, or the host that had no processor to give?

Two measures, taken only when a move is slow already, so that quick moves cost nothing:

* the referee's own lateness: it asked to be woken at an instant and was woken later than that;
* how long the bot was ready to run and did not (the kernel's run delay of its process).

A bot can drive up the second by itself, with threads that compete for its one core. So a stall is
a mark for the organiser, and whoever plays void matches again must do so a bounded number of times.
"""

from __future__ import annotations

from typing import Final

from arena.referee.api import BotLink

LATE_MS: Final = 20.0
"""An idle host wakes us within 1 to 2 ms of the instant that we asked for."""

WAIT_SHARE: Final = 0.1
"""The share of a limit that a bot may spend waiting for a processor before the host is to blame."""

PATIENCE_SHARE: Final = 0.25
"""The share of a limit after which a move counts as slow and is watched."""


class HostWatch:
    """Watches one slow move from now on."""

    __slots__ = ("_link", "_waited_ms")

    def __init__(self, link: BotLink) -> None:
        self._link = link
        self._waited_ms = link.cpu_wait_ms()

    def is_starved(self, limit_ms: float) -> bool:
        """True if the bot lost much of its limit to waiting for a processor."""
        return self._link.cpu_wait_ms() - self._waited_ms >= WAIT_SHARE * limit_ms
