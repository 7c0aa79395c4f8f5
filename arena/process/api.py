"""What a start takes and how an end is told: plain data, and what a guard has to keep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Exit:
    """How a bot's process ended: an exit status or a signal number, and whether memory did it."""

    status: int | None = None
    signal: int | None = None
    memory: bool = False
    detail: str = ""


class Hold(Protocol):
    """What a guard keeps of one process."""

    def verdict(self) -> Exit | None:
        """How the guard ended the process; None if it did not."""
        ...

    def release(self) -> None:
        """Lets go; called once, after the tree is dead."""
        ...


class Guard(Protocol):
    """Takes hold of a process after it exists and before it runs."""

    def attach(self, pid: int, pidfd: int) -> Hold:
        """Binds the process tree that starts at `pid`. `pidfd` stays the caller's."""
        ...


class Room(Protocol):
    """What is made for each start anew, before there is a process: a control group."""

    def open(self) -> tuple[int, Hold]:
        """A new descriptor for the child, and what is to be let go after the end.

        Raises OSError, with nothing made, if it cannot be made.
        """
        ...


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start a process: everything that `spawn` needs and nothing it must look up.

    It holds nothing of this machine: one that is never spawned leaves nothing behind.

    `argv[0]` is an absolute path. Descriptors are numbers in the child, from 3 up: `feeds` maps
    one to the bytes that can be read from it, `rooms` one to what is opened for it (by our rights,
    before anything is given up), `gate_fds` are where it waits for leave to go on, `ready_fd` is
    where it writes one byte just before the program, `info_fd` is where the launcher writes JSON
    with the `child-pid` of the init (the pipe's other end is one number up, so that it does not
    break if we die meanwhile). `namespace`: the init's death kills the tree.
    `filtered_init`: the init reads one byte from the gate before the shell there can read a line,
    and after that arms its parent-death signal and then takes on a system call filter.
    `stop` is a command that ends a tree which is not our child's (a container), `tell_root` one
    that prints the pid of its init.
    `signal_as_status`: the launcher ends with 128 + N when the program died of signal N.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    feeds: Mapping[int, bytes] = field(default_factory=dict)
    rooms: Mapping[int, Room] = field(default_factory=dict)
    gate_fds: tuple[int, ...] = ()
    ready_fd: int | None = None
    info_fd: int | None = None
    namespace: bool = False
    filtered_init: bool = False
    stop: tuple[str, ...] = ()
    tell_root: tuple[str, ...] = ()
    signal_as_status: bool = False
    guards: tuple[Guard, ...] = ()
