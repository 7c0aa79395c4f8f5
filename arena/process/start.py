"""Spawns: exactly the descriptors of the `Launch`, in a session of its own, up to an open gate."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Mapping

from arena.errors import SandboxError, mend_of
from arena.process.api import Launch
from arena.process.pipes import open_pipes
from arena.process.running import Process


def spawn(launch: Launch) -> Process:
    """Starts it; returns as soon as the gate is open, without waiting for the program.

    Raises SandboxError if the launcher cannot start or reports nothing.
    """
    (started,) = spawn_all([lambda: launch])
    if isinstance(started, SandboxError):
        raise started
    return started


def spawn_all(launches: Iterable[Callable[[], Launch]]) -> list[Process | SandboxError]:
    """Starts them side by side: while one builds its world, the next is described and started.

    Gives, in their order, each process, or why this one has none: the others start all the same.
    """
    if sys.platform != "linux":
        raise SandboxError(
            f"bots are started on Linux only, and this is {sys.platform}",
            mend="use WSL2, or a virtual machine or container with Linux",
        )
    if threading.current_thread() is not threading.main_thread():
        # The kernel sends the parent-death signal when the spawning *thread* ends.
        raise RuntimeError("bots are spawned from a main thread only")
    started: list[Process | SandboxError] = []
    with contextlib.ExitStack() as undo:
        for launch in launches:
            try:
                started.append(undo.enter_context(_begin(launch())))
            except (SandboxError, OSError) as error:
                started.append(_refused(error))
        for place, process in enumerate(started):
            try:
                if isinstance(process, Process):
                    _open_gate(process)
            except (SandboxError, OSError) as error:
                started[place] = _refused(error)
        undo.pop_all()
    return started


def _refused(error: SandboxError | OSError) -> SandboxError:
    """Why a start failed. An OSError tells of this machine: no descriptors, say, or no memory."""
    if isinstance(error, SandboxError):
        return error
    where = str(error.filename or "")
    what = f"cannot be started: {error.strerror or error}"
    refusal = SandboxError(what, where=where, mend=mend_of(error))
    refusal.__cause__ = error
    return refusal


def _begin(launch: Launch) -> Process:
    """Started, and waiting at its gate."""
    pipes = open_pipes(launch)
    try:
        process = Process(launch, _posix_spawn(launch, pipes.theirs), pipes)
    except BaseException:
        pipes.undo()
        raise
    pipes.close_theirs()
    try:
        process.begin()
    except BaseException:
        process.close()
        raise
    return process


def _open_gate(process: Process) -> None:
    try:
        process.open_gate()
    except BaseException:
        process.close()
        raise


def _posix_spawn(launch: Launch, theirs: Mapping[int, int]) -> int:
    """Spawns with exactly the descriptors of `theirs` (number in the child -> ours)."""
    actions: list[tuple[int, int] | tuple[int, int, int]] = [
        (os.POSIX_SPAWN_DUP2, ours, number) for number, ours in theirs.items()
    ]
    actions += [(os.POSIX_SPAWN_CLOSE, fd) for fd in _inheritable() if fd not in theirs]
    try:
        return os.posix_spawn(
            launch.argv[0],
            launch.argv,
            dict(launch.env),
            file_actions=actions,
            setsid=True,
            setsigmask=[],
            setsigdef=[signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT],
        )
    except OSError as error:
        what = f"cannot be started: {error.strerror}"
        raise SandboxError(what, where=launch.argv[0], mend=mend_of(error)) from error


def _inheritable() -> list[int]:
    """Descriptors above 2 that a child would inherit (from a shell that started us, say)."""
    found = []
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):  # the descriptor of this very listing is gone again
            if (fd := int(name)) > 2 and os.get_inheritable(fd):
                if fd < most:
                    found.append(fd)
                else:  # a spawn can close none above a limit that was lowered since it was opened
                    os.set_inheritable(fd, False)
    return found
