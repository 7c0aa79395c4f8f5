"""All processes of one tree, whatever sessions and groups they made: stopped together, and counted.

A pid namespace lists its members in its own /proc, orphans included, and a descriptor of
`/proc/PID` there is as good as a pidfd for sending a signal. So we hold a descriptor of that /proc
and need neither control groups nor the pids that the members have outside. A tree without a
namespace is followed from its root down, as far as parents are known.

Stopping. A process with a stop pending cannot fork, so whoever is new at a second look was born
before its parent was hit: every look stops all whom it finds, until a look (the second at the
earliest) finds nobody new. A table's referee and bots share one core: while we look, they wait. But
we can be preempted between two signals, and one member then wakes another that was hit before it.
So whoever has company is looked at once more, after a moment in which they all come to rest.

Counting. A process's time includes that of its children that were waited for, and the namespace's
init waits for orphans. The time of children of a parent that ignores SIGCHLD goes nowhere; but they
use up pids, so those tell that there were some.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass

INIT = "1"

MOST_LOOKS = 64
"""As many as there may be processes: each look stops one at least, or was the last."""

_SETTLE_S = 0.0002
"""Long enough for a process that was hit to run as far as its stop."""

_STOPPED = (b"T", b"t", b"Z", b"X")
_PF_EXITING = 0x4

_TICK_MS = 1000 / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Usage:
    """What a tree has used so far: processor time, and `pids`, its members' as they know them."""

    cpu_ms: float
    pids: frozenset[int]

    def births_since(self, before: Usage) -> int:
        """How many processes were born since then, at least: pids are given out in order."""
        newest = max(self.pids, default=0) - max(before.pids, default=0)
        return max(newest, len(self.pids ^ before.pids))


class Members:
    """The members of a tree. `proc` is a descriptor of the /proc that lists them, ours to close.

    `root` is the pid to follow down in a /proc that lists others too; 0 in a namespace's own.
    """

    __slots__ = ("_proc", "_root", "_stopped")

    def __init__(self, proc: int, root: int = 0) -> None:
        self._proc = proc
        self._root = root
        self._stopped: dict[str, int] = {}

    def stop(self) -> None:
        """No member runs until `go_on`; but the namespace's init, which does nothing by itself."""
        stopped = self._stopped
        for look in range(MOST_LOOKS):
            known = len(stopped)
            for name in self._names():
                if name != INIT and name not in stopped:
                    with contextlib.suppress(OSError):  # it ended while we looked
                        stopped[name] = self._open(name, os.O_DIRECTORY)
            for folder in stopped.values():
                _send(folder, signal.SIGSTOP)
            if look and len(stopped) == known and self._rest():
                return

    def _rest(self) -> bool:
        """True if nobody of `_stopped` runs; one alone has nobody who could wake it."""
        if len(self._stopped) < 2:
            return True
        time.sleep(_SETTLE_S)
        return all(map(_rests, self._stopped.values()))

    def go_on(self) -> None:
        """Lets everyone run whom `stop` has stopped."""
        for folder in self._stopped.values():
            _send(folder, signal.SIGCONT)
            os.close(folder)
        self._stopped.clear()

    def usage(self) -> Usage:
        """Processor time of everyone who lives, and of everyone they waited for."""
        ticks, pids = 0, set()
        for name in self._names():
            with contextlib.suppress(OSError, IndexError):
                fields = self._read(f"{name}/stat").rpartition(b")")[2].split()
                ticks += sum(map(int, fields[11:15]))
                pids.add(int(name))
        return Usage(ticks * _TICK_MS, frozenset(pids))

    def wait_ms(self) -> float:
        """How long their threads were ready to run without a processor so far."""
        waited_ns = 0
        for name in self._names():
            with contextlib.suppress(OSError):
                for thread in self._list(f"{name}/task"):
                    with contextlib.suppress(OSError, IndexError):
                        waited_ns += int(self._read(f"{name}/task/{thread}/schedstat").split()[1])
        return waited_ns / 1e6

    def close(self) -> None:
        """Lets go of every descriptor."""
        for folder in (*self._stopped.values(), self._proc):
            os.close(folder)
        self._stopped.clear()

    def _names(self) -> Iterator[str]:
        if self._root:
            return self._descendants(str(self._root))
        return (name for name in os.listdir(self._proc) if name.isdigit())

    def _descendants(self, name: str) -> Iterator[str]:
        yield name
        with contextlib.suppress(OSError):
            for thread in self._list(f"{name}/task"):
                for child in self._read(f"{name}/task/{thread}/children").split():
                    yield from self._descendants(child.decode())

    def _list(self, name: str) -> list[str]:
        folder = self._open(name, os.O_DIRECTORY)
        try:
            return os.listdir(folder)
        finally:
            os.close(folder)

    def _read(self, name: str) -> bytes:
        fd = self._open(name)
        try:
            return os.read(fd, 4096)
        finally:
            os.close(fd)

    def _open(self, name: str, flags: int = 0) -> int:
        return os.open(name, os.O_RDONLY | os.O_CLOEXEC | flags, dir_fd=self._proc)


def members_of(root: int, *, namespace: bool) -> Members | None:
    """The members of the tree of `root`, a process of ours or the init of a pid namespace.

    None while it waits at its gate, where the namespace's /proc is not mounted yet, and after its
    end. Raises OSError if we may not look.
    """
    if not namespace:
        return Members(os.open("/proc", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC), root)
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        if (proc := own_proc(root)) is not None:
            return Members(proc)
    return None


def own_proc(init: int) -> int | None:
    """A descriptor of the /proc that a pid namespace has mounted for itself, the caller's to close.

    None while its root is still ours: it waits at its gate. Raises OSError if we may not look.
    """
    path = f"/proc/{init}/root/proc"
    proc = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    if os.fstat(proc).st_dev != os.stat("/proc").st_dev:
        return proc
    os.close(proc)
    return None


def _rests(folder: int) -> bool:
    """True if the process of a `/proc/PID` is stopped, or at its end.

    Or if it waits in the kernel (for the child of a `vfork`, which may be stopped itself): its stop
    is pending, and it comes no further than to that. One that is ending may wake its parent still.
    """
    try:
        stat = os.open("stat", os.O_RDONLY | os.O_CLOEXEC, dir_fd=folder)
    except OSError:
        return True
    try:
        state, *fields = os.read(stat, 4096).rpartition(b")")[2].split()
        return state in _STOPPED or (state == b"D" and not int(fields[5]) & _PF_EXITING)
    except OSError:  # it ended while we looked
        return True
    finally:
        os.close(stat)


def _send(folder: int, number: int) -> None:
    with contextlib.suppress(OSError):
        signal.pidfd_send_signal(folder, number)
