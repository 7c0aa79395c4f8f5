"""The pipes of one start: our ends, the child's ends, and what it is fed."""

from __future__ import annotations

import fcntl
import os
import select
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from arena.process.api import Hold, Launch


@dataclass(slots=True)
class Ends:
    """Our ends; -1 where the launch has no use for one."""

    stdin: int = -1
    stdout: int = -1
    stderr: int = -1
    gate: int = -1
    ready: int = -1
    info: int = -1

    def is_ready(self) -> bool:
        """True if the byte before the program has come."""
        return readable(self.ready, 0) and bool(os.read(self.ready, 1))

    def close(self) -> None:
        for fd in (self.stdin, self.stdout, self.stderr, self.gate, self.ready, self.info):
            if fd >= 0:
                os.close(fd)


_OPENED_TO_READ, _OPENED_TO_WRITE = 0o604, 0o602
"""Under a uid of its own a program may open its ends again (`/dev/stdin`, `> /dev/stderr`), and no
more than that: neither write what it is to read nor read back what it wrote."""


@dataclass(slots=True)
class Pipes:
    """Pipes, feeds and rooms of one start. `theirs`: number in the child -> our descriptor of it;
    `holds`: what to let go of the rooms."""

    ours: Ends
    theirs: dict[int, int]
    holds: list[Hold] = field(default_factory=list)

    def open(self, launch: Launch) -> None:
        above = 3 + max([2, *_numbers(launch)])  # above all targets: no dup2 overwrites a source
        self.ours.stdin = self._write_end((0,), above)
        self.ours.stdout = self._read_end(1, above)
        self.ours.stderr = self._read_end(2, above)
        if launch.gate_fds:
            self.ours.gate = self._write_end(launch.gate_fds, above)
        if launch.ready_fd is not None:
            self.ours.ready = self._read_end(launch.ready_fd, above)
        if launch.info_fd is not None:
            self.ours.info = self._read_end(launch.info_fd, above)
            self.theirs[launch.info_fd + 1] = fcntl.fcntl(
                self.ours.info, fcntl.F_DUPFD_CLOEXEC, above
            )
        for number, content in launch.feeds.items():
            self.theirs[number] = _feed(content, above)
        for number, room in launch.rooms.items():
            opened, hold = room.open()
            self.holds.append(hold)
            self.theirs[number] = _move(opened, above)

    def close_theirs(self) -> None:
        for fd in set(self.theirs.values()):
            os.close(fd)
        self.theirs = {}

    def undo(self) -> None:
        """Closes everything and lets go what was made for a process that never came to be."""
        self.close_theirs()
        self.ours.close()
        for hold in self.holds:
            hold.release()

    def _write_end(self, numbers: Sequence[int], above: int) -> int:
        read, write = os.pipe()
        os.fchmod(read, _OPENED_TO_READ)
        self.theirs.update(dict.fromkeys(numbers, _moved_beside(write, read, above)))
        os.set_blocking(write, False)
        return write

    def _read_end(self, number: int, above: int) -> int:
        read, write = os.pipe()
        os.fchmod(write, _OPENED_TO_WRITE)
        self.theirs[number] = _moved_beside(read, write, above)
        os.set_blocking(read, False)
        return read


def open_pipes(launch: Launch) -> Pipes:
    """Every pipe and feed of a launch, or none."""
    pipes = Pipes(Ends(), {})
    try:
        pipes.open(launch)
    except BaseException:
        pipes.undo()
        raise
    return pipes


def _numbers(launch: Launch) -> Iterator[int]:
    yield from launch.feeds
    yield from launch.rooms
    yield from launch.gate_fds
    if launch.ready_fd is not None:
        yield launch.ready_fd
    if launch.info_fd is not None:
        yield from (launch.info_fd, launch.info_fd + 1)


def _feed(content: bytes, above: int) -> int:
    """A descriptor from which `content` can be read once."""
    fd = os.memfd_create("feed")
    os.write(fd, content)
    os.lseek(fd, 0, os.SEEK_SET)
    return _move(fd, above)


def _moved_beside(ours: int, theirs: int, above: int) -> int:
    """Their end of a pipe, moved; if there are no descriptors left, ours is closed too."""
    try:
        return _move(theirs, above)
    except OSError:
        os.close(ours)
        raise


def _move(fd: int, above: int) -> int:
    """The same at a number from `above` on; closed at the old one in any case."""
    try:
        return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, above)
    finally:
        os.close(fd)


def readable(fd: int, wait_ms: float) -> bool:
    """True as soon as `fd` can be read (a pidfd: when its process is dead)."""
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(max(0.0, wait_ms)))
