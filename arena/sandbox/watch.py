"""The watcher: sums what a process tree holds, and kills the tree that holds too much.

The kernel's limits count one process at a time; a tree can hold many times that. So a thread adds
up what every process in a sandbox holds, and kills the init when the sum passes the limit, after a
second, exact look. Counted are its anonymous memory, in swap too (shared pages are the same
programs and libraries over and over), and what the kernel keeps for it: page tables, the buffers of
sockets, open ones and such that are on their way through others, at the size that each may have
(the filter refuses to enlarge them; pipes have a limit for each user), and the files in its
writable space, empty ones too (what is in them has a limit of its own). How often it looks
depends on how near the limit is: never later than the tree could get there at RUSH_BYTES_S, never
more often than every TICK_MS. An idle tree costs next to nothing.

Processes are found through the sandbox's own /proc, where there is one: it lists the tree and
nothing else, orphans included. Without a namespace there is only the one process.
"""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from arena.process import Exit, own_proc

TICK_MS = 10.0

RUSH_BYTES_S = 4_000_000_000.0
"""Faster than one core fills fresh pages."""

LONGEST_MS = 250.0

SOCKETS_FREE = 8
"""So many sockets count nothing: runtimes have some, and hold nothing in them."""


FILE_BYTES = 1024
"""What the kernel keeps of one file in memory, whatever is in it: inode and name."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a tree may hold. `threads` 0: not watched. `scratch` is its writable folder, if any."""

    memory_bytes: int
    threads: int = 0
    scratch: str = ""


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
        anonymous, kernel, threads = self._measure()
        memory = anonymous + kernel
        if kernel <= self.bounds.memory_bytes < memory:
            memory = self._measure_shares(anonymous, self.bounds.memory_bytes - kernel) + kernel
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
        try:
            proc = _open_folder(f"/proc/{self.pid}") if self.single else own_proc(self.pid)
        except OSError:
            return False
        if proc is None:
            return False
        self.proc = proc
        return True

    def _told(self, memory: int) -> str:
        return f"{memory >> 20} MB held, {self.bounds.memory_bytes >> 20} MB allowed"

    def _end(self, how: Exit) -> None:
        self.ended = self.ended or how
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)

    def _measure(self) -> tuple[int, int, int]:
        """Anonymous bytes, the kernel's bytes and the threads of the whole tree."""
        anonymous = kernel = threads = 0
        for folder in self._processes():
            with contextlib.suppress(OSError):  # it ended while we looked
                status = _read(f"{folder}status", self.proc)
                anonymous += _number(status, b"\nRssAnon:") * 1024
                anonymous += _number(status, b"\nVmSwap:") * 1024
                kernel += _number(status, b"\nVmPTE:") * 1024
                threads += _number(status, b"\nThreads:")
        return anonymous, kernel + self._socket_bytes() + self._file_bytes(), threads

    def _file_bytes(self) -> int:
        """What the kernel keeps of the files in the writable space, without what is in them."""
        if not self.bounds.scratch:
            return 0
        try:
            space = os.statvfs(f"/proc/{self.pid}/root{self.bounds.scratch}")
        except OSError:
            return 0
        return (space.f_files - space.f_ffree) * FILE_BYTES

    def _socket_bytes(self) -> int:
        """What the sockets of the tree's network namespace can hold; 0 where it has none."""
        if self.single:
            return 0
        try:
            sockets = _number(_read("1/net/sockstat", self.proc), b"sockets: used")
        except OSError:
            return 0
        return max(0, sockets - SOCKETS_FREE) * socket_bytes()

    def _measure_shares(self, at_most: int, allowed: int) -> int:
        """The same memory with pages that forked processes still share counted once, until it is
        more than allowed: exact, and worth it only before a kill, since a tree can make it slow
        (the kernel walks its page tables). `at_most` where the kernel does not tell."""
        memory = 0
        for folder in self._processes():
            if memory > allowed:
                break
            try:
                rollup = _read(f"{folder}smaps_rollup", self.proc)
            except FileNotFoundError:
                continue  # it ended while we looked
            except OSError:
                return at_most
            if b"Pss_Anon:" not in rollup:
                return at_most
            memory += _number(rollup, b"\nPss_Anon:") * 1024
            memory += _number(rollup, b"\nSwapPss:") * 1024
        return memory

    def _processes(self) -> Iterator[str]:
        if self.single:
            yield ""
            return
        with contextlib.suppress(OSError):
            yield from (f"{name}/" for name in os.listdir(self.proc) if name.isdigit())


@functools.cache
def socket_bytes() -> int:
    """What may wait in one socket, the kernel's own part of it included."""
    try:
        with open("/proc/sys/net/core/wmem_default", encoding="ascii") as file:
            return int(file.read())
    except (OSError, ValueError):
        return 212_992


def _number(text: bytes, name: bytes) -> int:
    """The number after a name in a file of /proc; 0 if it has none (a process without memory)."""
    after = text.partition(name)[2].split(None, 1)
    return int(after[0]) if after else 0


def _open_folder(path: str) -> int:
    return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


def _read(name: str, folder: int) -> bytes:
    fd = os.open(name, os.O_RDONLY | os.O_CLOEXEC, dir_fd=folder)
    try:
        return os.read(fd, 4096)
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
