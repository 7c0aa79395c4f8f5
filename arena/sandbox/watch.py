"""The watcher: sums what a process tree holds, and kills the tree that holds too much.

The kernel's limits count one process at a time; a tree can hold many times that. So a thread adds
up the anonymous memory of every process in a sandbox (`statm`: resident less shared, since shared
pages are the same programs and libraries over and over) and kills the init when the sum passes the
limit, after a second, exact look. How often it looks depends on how near the limit is: never later
than the tree could get there at RUSH_BYTES_S, never more often than every TICK_MS. An idle tree
costs next to nothing.

Processes are found through the sandbox's own /proc, where there is one: it lists the tree and
nothing else, orphans included. Without a namespace there is only the one process.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from arena.process import Exit

TICK_MS = 10.0

RUSH_BYTES_S = 4_000_000_000.0
"""Faster than one core fills fresh pages."""

LONGEST_MS = 250.0

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a tree may hold. `threads` 0: not watched."""

    memory_bytes: int
    threads: int = 0


@dataclass(slots=True)
class Watch:
    """One watched tree. `proc` is a descriptor of the /proc that lists it; -1 until it is there."""

    pid: int
    pidfd: int
    single: bool
    bounds: Bounds
    watcher: Watcher
    proc: int = -1
    due: float = 0.0
    peak_bytes: int = 0
    ended: Exit | None = field(default=None)

    def verdict(self) -> Exit | None:
        return self.ended

    def release(self) -> None:
        self.watcher.forget(self)
        if self.proc >= 0:
            os.close(self.proc)
        os.close(self.pidfd)

    def look(self, now: float) -> None:
        """Measures once, kills if it is too much, and says when to look again."""
        self.due = now + TICK_MS / 1000
        if self.proc < 0 and not self._find_proc():
            return
        memory, threads = self._measure()
        if memory > self.bounds.memory_bytes:
            memory = self._measure_shares(memory)
        self.peak_bytes = max(self.peak_bytes, memory)
        if memory > self.bounds.memory_bytes:
            self._end(Exit(signal=signal.SIGKILL, memory=True, detail=self._told(memory)))
        elif self.bounds.threads and threads > self.bounds.threads:
            self._end(Exit(signal=signal.SIGKILL, detail=f"{threads} threads"))
        if not self.bounds.threads:  # they come faster than memory: looked at every tick
            room_s = (self.bounds.memory_bytes - memory) / RUSH_BYTES_S
            self.due = now + min(max(room_s, TICK_MS / 1000), LONGEST_MS / 1000)

    def _find_proc(self) -> bool:
        """Opens the tree's /proc; False while its root is still ours (it waits at its gate)."""
        path = f"/proc/{self.pid}" if self.single else f"/proc/{self.pid}/root/proc"
        try:
            proc = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError:
            return False
        if self.single or os.fstat(proc).st_dev != os.stat("/proc").st_dev:
            self.proc = proc
            return True
        os.close(proc)
        return False

    def _told(self, memory: int) -> str:
        return f"{memory >> 20} MB held, {self.bounds.memory_bytes >> 20} MB allowed"

    def _end(self, how: Exit) -> None:
        self.ended = self.ended or how
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)

    def _measure(self) -> tuple[int, int]:
        """Anonymous bytes and threads of the whole tree."""
        memory = threads = 0
        for folder in self._processes():
            with contextlib.suppress(OSError):  # it ended while we looked
                resident, shared = _read(f"{folder}statm", self.proc).split()[1:3]
                memory += (int(resident) - int(shared)) * PAGE_BYTES
                if self.bounds.threads:
                    threads += int(
                        _read(f"{folder}stat", self.proc).rpartition(b")")[2].split()[17]
                    )
        return memory, threads

    def _measure_shares(self, at_most: int) -> int:
        """The same memory with pages that forked processes still share counted once: slow, exact,
        and worth it only before a kill. `at_most` where the kernel does not tell."""
        memory = 0
        for folder in self._processes():
            try:
                rollup = _read(f"{folder}smaps_rollup", self.proc)
            except FileNotFoundError:
                continue  # it ended while we looked
            except OSError:
                return at_most
            if b"Pss_Anon:" not in rollup:
                return at_most
            memory += int(rollup.partition(b"Pss_Anon:")[2].split()[0]) * 1024
        return memory

    def _processes(self) -> Iterator[str]:
        if self.single:
            yield ""
            return
        with contextlib.suppress(OSError):
            yield from (f"{name}/" for name in os.listdir(self.proc) if name.isdigit())


def _read(name: str, folder: int) -> bytes:
    fd = os.open(name, os.O_RDONLY | os.O_CLOEXEC, dir_fd=folder)
    try:
        return os.read(fd, 1024)
    finally:
        os.close(fd)


class Watcher:
    """Looks after all watched trees of one harness process, in a thread that starts with the first.

    The thread is a daemon and sleeps until a tree is due.
    """

    def __init__(self) -> None:
        self._watches: list[Watch] = []
        self._change = threading.Condition()
        self._thread: threading.Thread | None = None

    def add(self, watch: Watch) -> None:
        with self._change:
            self._watches.append(watch)
            # After a fork the object is there and its thread is not.
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)
                self._thread.start()
            self._change.notify()

    def forget(self, watch: Watch) -> None:
        with self._change:
            self._watches.remove(watch)

    def _run(self) -> None:
        with self._change:
            while True:
                now = time.monotonic()
                for watch in self._watches:
                    if watch.due <= now:
                        watch.look(now)
                soonest = min((watch.due for watch in self._watches), default=None)
                self._change.wait(None if soonest is None else max(0.0, soonest - time.monotonic()))


@dataclass(frozen=True, slots=True)
class WatchGuard:
    """Puts a tree under a watcher. `single`: the program is one process, without its own /proc."""

    watcher: Watcher
    bounds: Bounds
    single: bool = False

    def attach(self, pid: int, pidfd: int) -> Watch:
        watch = Watch(pid, os.dup(pidfd), self.single, self.bounds, self.watcher)
        self.watcher.add(watch)
        return watch
