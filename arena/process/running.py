"""A started process, from its gate to its end."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import time
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from arena.errors import SandboxError
from arena.process.api import Exit, Launch
from arena.process.ask import ask
from arena.process.members import Members, Usage, members_of
from arena.process.pipes import Pipes, readable
from arena.process.status import status_of
from arena.process.tree import KILL_DEADLINE_MS, kill_session, send_signal

START_DEADLINE_MS = 10_000.0
"""How long a launcher may take to report its init; it takes 2 to 3 ms on an idle machine."""

STOP_TIMEOUT_S = 60.0
"""How long a container engine may take to end a container; it takes about 0.2 s."""

_BUILD = b"\n"
"""For the init of a launcher, which waits for one byte while guards take hold of it."""

_GO = b"go\n"
"""For the shell in front of the program."""

_LOOK_AGAIN_S = 0.0001


class Process:
    """A started process and all that belongs to it; a context manager that leaves nothing behind.

    `stdin`, `stdout` and `stderr` are non-blocking ends of ours. `pid` is the launcher's, `init`
    the pid of the tree's root (the same without an `info_fd`). `survivors` counts processes that
    were still there after a kill; it must be 0.
    """

    def __init__(self, launch: Launch, pid: int, pipes: Pipes) -> None:
        self.pid = pid
        self.init = pid
        self.survivors = 0
        self._launch = launch
        self._ours = pipes.ours
        self._launcher = os.pidfd_open(pid)
        self._root = self._launcher
        self._holds = pipes.holds
        self._exit: Exit | None = None
        self._killed = False
        self._closed = False
        self._members: Members | None = None

    @property
    def stdin(self) -> int:
        return self._ours.stdin

    @property
    def stdout(self) -> int:
        return self._ours.stdout

    @property
    def stderr(self) -> int:
        return self._ours.stderr

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def exit(self, wait_ms: float) -> Exit | None:
        """How it ended, waiting at most `wait_ms` for that; None if it is still running.

        Raises SandboxError if it ended before the program was reached.
        """
        if self._exit is None and readable(self._launcher, wait_ms):
            self._look()
        return self._exit

    def kill(self) -> None:
        """Kills the whole tree at once and reaps it. Does nothing the second time."""
        if self._killed:
            return
        self._killed = True
        with contextlib.suppress(SandboxError):  # what it tells comes too late to matter
            self.exit(0)
        if self._launch.stop:
            ask(self._launch.stop, timeout_s=STOP_TIMEOUT_S, env=self._launch.env)
        if self._launch.namespace:
            send_signal(self._root, signal.SIGKILL)
            self.survivors = 0 if readable(self._root, KILL_DEADLINE_MS) else 1
        else:
            self.survivors = kill_session(self.pid, self._launcher)
        send_signal(self._launcher, signal.SIGKILL)
        with contextlib.suppress(SandboxError):  # it never reached the program: no matter now
            self.exit(KILL_DEADLINE_MS)
        if readable(self._launcher, 0):
            result = os.waitid(os.P_PIDFD, self._launcher, os.WEXITED)
            self._exit = self._exit or self._told(result)

    def pause(self) -> None:
        """Stops every process of the tree, whatever sessions and groups they made."""
        if (members := self._found()) is not None:
            members.stop()

    def resume(self) -> None:
        """Lets the tree go on. Does nothing if it is not stopped."""
        if self._members is not None:
            self._members.go_on()

    def cpu_wait_ms(self) -> float:
        """How long the tree's threads were ready to run without a processor so far."""
        members = self._found()
        return 0.0 if members is None else members.wait_ms()

    def usage(self) -> Usage | None:
        """The processor time that the tree has used so far; None if it cannot be told."""
        members = self._found()
        return None if members is None else members.usage()

    def _found(self) -> Members | None:
        """The tree's members, once it has passed its gate and as long as it runs."""
        if self.exit(0) is not None:  # its pids may be others' by now
            return None
        if self._members is None:
            with contextlib.suppress(OSError):
                root, inside = self.init, self._launch.info_fd is not None
                if self._launch.tell_root:
                    root, inside = self._told_root(), True
                self._members = members_of(root, namespace=inside) if root else None
        return self._members

    def _told_root(self) -> int:
        """The init of a tree that is not our child's; 0 if nobody tells."""
        told = ask(self._launch.tell_root, timeout_s=STOP_TIMEOUT_S, env=self._launch.env)
        return int(told.out) if told.out.isdigit() else 0

    def close_stdin(self) -> None:
        """The program reads end of file. Does nothing the second time."""
        if self._ours.stdin >= 0:
            os.close(self._ours.stdin)
            self._ours.stdin = -1

    def close(self) -> None:
        """Kills what is left, lets every guard go and closes our ends.

        Raises SandboxError, when all that is done, if anything survived.
        """
        if self._closed:
            return
        self.kill()
        self._closed = True
        for hold in self._holds:
            hold.release()
        if self._members is not None:
            self._members.close()
            self._members = None
        for fd in {self._launcher, self._root}:
            os.close(fd)
        self._ours.close()
        if self.survivors:
            raise SandboxError(
                f"{self.survivors} processes survive a kill",
                where=self._launch.argv[0],
                mend="end them by hand; `arena doctor` shows what the sandbox can do",
            )

    def begin(self) -> None:
        """Takes hold of the init, which may then build its world. Called once, by `spawn`."""
        with self._starting():
            if self._launch.info_fd is not None:
                self.init = self._read_init()
                self._root = os.pidfd_open(self.init)
            for place, guard in enumerate(self._launch.guards):
                # Before those of the rooms: what a guard saw is told first.
                self._holds.insert(place, guard.attach(self.init, self._root))
            if self._launch.filtered_init:
                os.write(self._ours.gate, _BUILD)

    def open_gate(self) -> None:
        """Lets the program go, as soon as it cannot outlive us. Called once, by `spawn`."""
        with self._starting():
            if self._launch.filtered_init:
                self._await_filter()
            if self._launch.gate_fds:
                os.write(self._ours.gate, _GO)

    @contextlib.contextmanager
    def _starting(self) -> Iterator[None]:
        try:
            yield
        except (ProcessLookupError, BrokenPipeError) as error:
            raise self._failure("it died while starting") from error

    def _await_filter(self) -> None:
        """Returns when the init has taken on its system call filter.

        It arms its parent-death signal just before that, and nothing else of it can be seen. Were
        the gate opened sooner, we could die before it is armed, and it would never hear of it.
        """
        deadline = time.monotonic() + START_DEADLINE_MS / 1000
        ours = _filters("self")
        while _filters(self.init) <= ours:
            if readable(self._root, 0):
                raise self._failure("it died while starting")
            if time.monotonic() > deadline:
                raise self._too_slow()
            time.sleep(_LOOK_AGAIN_S)

    def _read_init(self) -> int:
        """The init's pid as the launcher reports it."""
        deadline = time.monotonic() + START_DEADLINE_MS / 1000
        report = b""
        while b"}" not in report:
            left_ms = (deadline - time.monotonic()) * 1000
            if not readable(self._ours.info, left_ms):
                raise self._too_slow()
            piece = os.read(self._ours.info, 4096)
            if not piece:
                raise self._failure("no process was reported")
            report += piece
        return int(json.loads(report)["child-pid"])

    def _look(self) -> None:
        """Reads how it ended, and leaves the dead launcher in place: its pid must stay taken
        while the rest of its session may have to be found by it."""
        result = os.waitid(os.P_PIDFD, self._launcher, os.WEXITED | os.WNOWAIT)
        verdicts = filter(None, (hold.verdict() for hold in self._holds))
        self._exit = next(verdicts, None) or self._told(result)
        if self._launch.ready_fd is not None and not self._ours.is_ready():
            raise self._failure(f"it ended with {self._exit}")

    def _told(self, result: os.waitid_result | None) -> Exit:
        """What the kernel says of the launcher's end."""
        assert result is not None  # only WNOHANG gives None
        code = result.si_status
        if result.si_code != os.CLD_EXITED:
            return Exit(signal=code)
        by_signal = self._launch.signal_as_status and 128 < code < 128 + signal.NSIG
        return Exit(signal=code - 128) if by_signal else Exit(status=code)

    def _too_slow(self) -> SandboxError:
        return SandboxError("the sandbox did not start in time", where=self._launch.argv[0])

    def _failure(self, detail: str) -> SandboxError:
        said = b""
        if readable(self.stderr, 200):
            said = os.read(self.stderr, 4096)
        text = said.decode(errors="replace").strip().replace("\n", "; ") or detail
        return SandboxError(
            f"the sandbox could not start the program: {text}",
            where=self._launch.argv[0],
            mend="`arena doctor` shows what this machine can do",
        )


def _filters(pid: int | str) -> int:
    """How many system call filters a process has; before Linux 5.9, whether it has any."""
    try:
        fields = status_of(pid)
    except FileNotFoundError as error:
        raise ProcessLookupError(pid) from error
    return int(fields.get("Seccomp_filters") or fields.get("Seccomp", "0"))
