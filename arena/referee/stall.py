"""Was it the bot that was late, or had it no processor? And if so, who had it?

Theory of operation. All bots of a table share one core. One of them is asked at a time, so the
others have nothing to do: one that computes takes the core from the bot whose clock runs. Nothing
is measured while moves are quick. A move that has used up PATIENCE_SHARE of its limit is watched
from then on, and if it comes too late three things are known of the rest of the time:

* how long the bot was ready to run and did not (the kernel's run delay of its threads);
* the processor time of every other bot on the core (`suspects`), all its processes together;
* how late the referee itself was woken, and how much of that it spent in the queue for a processor.

If the late bot waited and others of the table had the core, they are the cause (`Inquest.burners`).
If it waited and they had not, the machine had none to give. A bot can drive up its own wait, with
threads that compete among themselves: that makes nobody a burner, and is a mark for the organiser
at most.

A referee that slept on without standing in the queue was stopped: by a signal (Ctrl-Z, SIGSTOP),
with its group (a frozen container), or with its whole machine (a paused virtual one). No bot can
bring that about, and none is charged for it (`OwnWait.stopped_ms`). A machine that is suspended
stops the monotonic clock too, by which all limits are measured, so that nobody is late for it.

Time of children that nobody waits for is in no process's account. But they use up pids: where those
are used up while nobody is to blame, the core's own account tells how much is missing.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

from arena.process import Usage
from arena.referee.api import BotLink
from arena.referee.seat import Seat

LATE_MS: Final = 20.0
"""An idle host wakes us within 1 to 2 ms of the instant that we asked for."""

WAIT_SHARE: Final = 0.1
"""The share of a limit that a bot may wait for a processor before others are to blame."""

PATIENCE_SHARE: Final = 0.25
"""The share of a limit after which a move counts as slow and is watched."""

TAKEN_SHARE: Final = 0.3
"""So much of the watched time must the others of a table have had together to be the cause."""

PART_SHARE: Final = 0.1
"""Who had less than this share is none of them: a collector of garbage, a compiler."""

STARVING_MS: Final = 200.0
"""A bot that has taken so much from late ones is charged: runtimes do not."""

FEW_BIRTHS: Final = 5
"""So many processes and threads may be born while others are asked: more of them hide something."""


class HostWatch:
    """Watches one slow move from now on."""

    __slots__ = ("_link", "_waited_ms")

    def __init__(self, link: BotLink) -> None:
        self._link = link
        self._waited_ms = link.cpu_wait_ms()

    def is_starved(self, limit_ms: float) -> bool:
        """True if the bot lost much of its limit to waiting for a processor."""
        return self._link.cpu_wait_ms() - self._waited_ms >= WAIT_SHARE * limit_ms


class Inquest(HostWatch):
    """Watches one slow move, and everybody else on the core."""

    __slots__ = ("_before", "_busy_ms", "_core", "_seat")

    def __init__(self, seat: Seat, suspects: Sequence[Seat]) -> None:
        super().__init__(seat.link)
        self._seat = seat
        self._core = only_core()
        self._busy_ms = busy_ms(self._core)
        self._before = {suspect: suspect.link.usage() for suspect in (seat, *suspects)}

    def burners(self, watched_ms: float) -> dict[Seat, float]:
        """Who had the core meanwhile, and for how many ms; nobody if it was not they."""
        used = {seat: self._used(seat, before) for seat, before in self._before.items()}
        known_ms = sum(ms for ms, _ in used.values())
        hidden_ms = max(0.0, busy_ms(self._core) - self._busy_ms - known_ms)
        del used[self._seat]
        hiding = [seat for seat, (_, births) in used.items() if births >= FEW_BIRTHS]
        taken = {
            seat: ms + (hidden_ms / len(hiding) if seat in hiding else 0.0)
            for seat, (ms, _) in used.items()
        }
        if sum(taken.values()) < TAKEN_SHARE * watched_ms:
            return {}
        return {seat: ms for seat, ms in taken.items() if ms >= PART_SHARE * watched_ms}

    def _used(self, seat: Seat, before: Usage | None) -> tuple[float, int]:
        """Processor time since the beginning, and how many processes were born at least."""
        after = seat.link.usage()
        if before is None:
            return 0.0, 0
        if after is None:  # it ended meanwhile, and nobody knows what it used
            return 0.0, FEW_BIRTHS
        return max(0.0, after.cpu_ms - before.cpu_ms), after.births_since(before)


class OwnWait:
    """Tells how long this thread was stopped from how long it waited for a processor meanwhile."""

    __slots__ = ("_waited_ms",)

    def __init__(self) -> None:
        self._waited_ms = _own_wait_ms()

    def begin(self) -> None:
        """Counts from now on."""
        self._waited_ms = _own_wait_ms()

    def stopped_ms(self, overslept_ms: float) -> float:
        """How much of an oversleep it was stopped for; 0 if the kernel does not tell."""
        before, self._waited_ms = self._waited_ms, _own_wait_ms()
        if self._waited_ms < 0:
            return 0.0
        return max(0.0, overslept_ms - (self._waited_ms - before))


def _own_wait_ms() -> float:
    """How long this thread was ready to run without a processor so far; -1 if that is unknown."""
    try:
        with open("/proc/thread-self/schedstat", encoding="ascii") as file:
            return int(file.read().split()[1]) / 1e6
    except (OSError, IndexError, ValueError):
        return -1.0


def only_core() -> int:
    """The core to which this process is pinned, its bots with it; -1 if it is not pinned."""
    cores = os.sched_getaffinity(0)
    return next(iter(cores)) if len(cores) == 1 else -1


def busy_ms(core: int) -> float:
    """How long a core has worked since the boot; 0 if that cannot be told."""
    try:
        with open("/proc/stat", encoding="ascii") as file:
            line = next(line for line in file if line.startswith(f"cpu{core} "))
        user, nice, system, _, _, *interrupts = map(int, line.split()[1:8])
        return (user + nice + system + sum(interrupts)) * _TICK_MS
    except (OSError, StopIteration, ValueError):
        return 0.0


_TICK_MS: Final = 1000 / os.sysconf("SC_CLK_TCK")
