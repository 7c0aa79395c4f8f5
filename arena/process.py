"""The only file that spawns: a `Launch` goes in, a running `Process` comes out.

How a start goes. A launcher (bubblewrap, a shell, the program itself) is spawned in a session of
its own with three fresh pipes and exactly the descriptors that the `Launch` lists; whatever else
could be inherited is closed. Before the program runs its first instruction it waits at a *gate*:

1. the launcher reports the pid of the program's init (`info_fd`), or it is the init itself;
2. we open a pidfd on that init and let every `Guard` take hold of it (limits, core, cgroup);
3. we open the gate by writing to the pipe behind `gate_fds`.

Should this process die before step 3, the gate reads end of file and the program never starts;
after step 3 the launcher's parent-death signal is armed. There is no moment in between at which a
program could be orphaned. Once through the gate, and before the program, `ready_fd` receives a
byte: a process that ends without it failed in our hands (`SandboxError`), not in the bot's.

How an end goes. SIGKILL goes to the init by pidfd, so that no reused pid can be hit, and the death
of a pid namespace's init is the death of everything in it. Nothing here waits without a deadline,
and nothing waits for end of file: a grandchild may hold a pipe open for ever.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from arena.errors import SandboxError

START_DEADLINE_MS = 10_000.0
"""How long a launcher may take to report its init; it takes 2 to 3 ms on an idle machine."""

KILL_DEADLINE_MS = 5_000.0
"""How long a killed tree may take to be gone; it takes 2 to 5 ms on an idle machine."""

STOP_TIMEOUT_S = 60.0
"""How long a container engine may take to end a container; it takes about 0.2 s."""

_GO = b"\ngo\n"
"""The first byte is for a launcher that blocks on the gate, the line for the shell after it."""


@dataclass(frozen=True, slots=True)
class Exit:
    """How a bot's process ended: an exit status or a signal number, and whether memory did it."""

    status: int | None = None
    signal: int | None = None
    memory: bool = False
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a program of the host said and how it ended."""

    status: int
    out: str
    err: str


def ask(argv: Sequence[str], *, timeout_s: float, env: Mapping[str, str] | None = None) -> Answer:
    """Runs a trusted program of the host in the root folder and returns what it said.

    Status 127 if it is not there, 124 if it took too long: callers ask such things as `--version`,
    and need to know no more than that there was no answer.
    """
    try:
        done = subprocess.run(
            argv,
            cwd="/",
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Answer(124, "", "no answer in time")
    except OSError as error:
        return Answer(127, "", str(error))
    return Answer(done.returncode, done.stdout.strip(), done.stderr.strip())


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


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start a process: everything that `spawn` needs and nothing it must look up.

    `argv[0]` is an absolute path. Descriptors are numbers in the child, from 3 up: `feeds` maps
    one to the bytes that can be read from it, `files` one to a path that is opened for writing (by
    our rights, before anything is given up), `gate_fds` are where it waits for leave to go on,
    `ready_fd` is where it writes one byte just before the program, `info_fd` is where the launcher
    writes JSON with the `child-pid` of the init (the pipe's other end is one number up, so that it
    does not break if we die meanwhile). `namespace`: the init's death kills the tree.
    `stop` is a command that ends a tree which is not our child's (a container).
    `signal_as_status`: the launcher ends with 128 + N when the program died of signal N.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    feeds: Mapping[int, bytes] = field(default_factory=dict)
    files: Mapping[int, str] = field(default_factory=dict)
    gate_fds: tuple[int, ...] = ()
    ready_fd: int | None = None
    info_fd: int | None = None
    namespace: bool = False
    stop: tuple[str, ...] = ()
    signal_as_status: bool = False
    guards: tuple[Guard, ...] = ()


class Process:
    """A started process and all that belongs to it; a context manager that leaves nothing behind.

    `stdin`, `stdout` and `stderr` are non-blocking ends of ours. `pid` is the launcher's, `init`
    the pid of the tree's root (the same without an `info_fd`). `survivors` counts processes that
    were still there after a kill; it must be 0.
    """

    def __init__(self, launch: Launch, pid: int, ours: _Ends) -> None:
        self.pid = pid
        self.init = pid
        self.survivors = 0
        self._launch = launch
        self._ours = ours
        self._launcher = os.pidfd_open(pid)
        self._root = self._launcher
        self._holds: list[Hold] = []
        self._exit: Exit | None = None
        self._killed = False
        self._closed = False

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
        if self._exit is None and _readable(self._launcher, wait_ms):
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
            _signal(self._root, signal.SIGKILL)
            self.survivors = 0 if _readable(self._root, KILL_DEADLINE_MS) else 1
        else:
            self.survivors = _kill_session(self.pid, self._launcher)
        _signal(self._launcher, signal.SIGKILL)
        with contextlib.suppress(SandboxError):  # it never reached the program: no matter now
            self.exit(KILL_DEADLINE_MS)
        if _readable(self._launcher, 0):
            result = os.waitid(os.P_PIDFD, self._launcher, os.WEXITED)
            self._exit = self._exit or self._told(result)

    def pause(self) -> None:
        """Stops the program's process group; what left that group runs on."""
        self._signal_group(signal.SIGSTOP)

    def resume(self) -> None:
        """Lets the program's process group go on. Does nothing if it is not stopped."""
        self._signal_group(signal.SIGCONT)

    def cpu_wait_ms(self) -> float:
        """How long the program was ready to run without a processor so far; 0 if unknown."""
        try:
            return int(Path(f"/proc/{self._program()}/schedstat").read_text().split()[1]) / 1e6
        except (OSError, IndexError):
            return 0.0

    def _signal_group(self, number: int) -> None:
        if self.exit(0) is None:  # else its pid may be another's by now
            with contextlib.suppress(ProcessLookupError):
                os.killpg(os.getpgid(self._program()), number)

    def _program(self) -> int:
        """The program's pid: the launcher's itself, or the first child of the namespace's init."""
        if not self._launch.namespace:
            return self.pid
        try:
            children = Path(f"/proc/{self.init}/task/{self.init}/children").read_text().split()
            return int(children[0])
        except (OSError, IndexError):
            raise ProcessLookupError("the program has ended") from None

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
        """Takes hold of the init and opens the gate. Called once, by `spawn`."""
        try:
            if self._launch.info_fd is not None:
                self.init = self._read_init()
                self._root = os.pidfd_open(self.init)
            for guard in self._launch.guards:
                self._holds.append(guard.attach(self.init, self._root))
            if self._launch.gate_fds:
                os.write(self._ours.gate, _GO)
        except (ProcessLookupError, BrokenPipeError) as error:
            raise self._failure("it died while starting") from error

    def _read_init(self) -> int:
        """The init's pid as the launcher reports it."""
        deadline = time.monotonic() + START_DEADLINE_MS / 1000
        report = b""
        while b"}" not in report:
            left_ms = (deadline - time.monotonic()) * 1000
            if not _readable(self._ours.info, left_ms):
                raise SandboxError("the sandbox did not start in time", where=self._launch.argv[0])
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

    def _failure(self, detail: str) -> SandboxError:
        said = b""
        if _readable(self.stderr, 200):
            said = os.read(self.stderr, 4096)
        text = said.decode(errors="replace").strip().replace("\n", "; ") or detail
        return SandboxError(
            f"the sandbox could not start the program: {text}",
            where=self._launch.argv[0],
            mend="`arena doctor` shows what this machine can do",
        )


def spawn(launch: Launch) -> Process:
    """Starts it; returns as soon as the gate is open, without waiting for the program.

    Raises SandboxError if the launcher cannot start or reports nothing.
    """
    if sys.platform != "linux":
        raise SandboxError(
            f"bots are started on Linux only, and this is {sys.platform}",
            mend="use WSL2, or a virtual machine or container with Linux",
        )
    if threading.current_thread() is not threading.main_thread():
        # The kernel sends the parent-death signal when the spawning *thread* ends.
        raise RuntimeError("bots are spawned from a main thread only")
    pipes = _open_pipes(launch)
    try:
        process = Process(launch, _posix_spawn(launch, pipes.theirs), pipes.ours)
    except BaseException:
        pipes.ours.close()
        raise
    finally:
        pipes.close_theirs()
    try:
        process.begin()
    except BaseException:
        process.close()
        raise
    return process


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
        raise SandboxError(f"cannot be started: {error.strerror}", where=launch.argv[0]) from error


def _inheritable() -> list[int]:
    """Descriptors above 2 that a child would inherit (from a shell that started us, say)."""
    found = []
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):  # the descriptor of this very listing is gone again
            if (fd := int(name)) > 2 and os.get_inheritable(fd):
                found.append(fd)
    return found


@dataclass(slots=True)
class _Ends:
    """Our ends; -1 where the launch has no use for one."""

    stdin: int = -1
    stdout: int = -1
    stderr: int = -1
    gate: int = -1
    ready: int = -1
    info: int = -1

    def is_ready(self) -> bool:
        """True if the byte before the program has come."""
        return _readable(self.ready, 0) and bool(os.read(self.ready, 1))

    def close(self) -> None:
        for fd in (self.stdin, self.stdout, self.stderr, self.gate, self.ready, self.info):
            if fd >= 0:
                os.close(fd)


@dataclass(slots=True)
class _Pipes:
    """Pipes and feeds of one start. `theirs`: number in the child -> our descriptor of it."""

    ours: _Ends
    theirs: dict[int, int]

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
        for number, path in launch.files.items():
            self.theirs[number] = _move(os.open(path, os.O_WRONLY | os.O_CLOEXEC), above)

    def close_theirs(self) -> None:
        for fd in set(self.theirs.values()):
            os.close(fd)
        self.theirs = {}

    def _write_end(self, numbers: Sequence[int], above: int) -> int:
        read, write = os.pipe()
        os.set_blocking(write, False)
        moved = _move(read, above)
        self.theirs.update(dict.fromkeys(numbers, moved))
        return write

    def _read_end(self, number: int, above: int) -> int:
        read, write = os.pipe()
        os.set_blocking(read, False)
        self.theirs[number] = _move(write, above)
        return read


def _open_pipes(launch: Launch) -> _Pipes:
    """Every pipe and feed of a launch, or none."""
    pipes = _Pipes(_Ends(), {})
    try:
        pipes.open(launch)
    except BaseException:
        pipes.close_theirs()
        pipes.ours.close()
        raise
    return pipes


def _numbers(launch: Launch) -> Iterator[int]:
    yield from launch.feeds
    yield from launch.files
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


def _move(fd: int, above: int) -> int:
    moved = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, above)
    os.close(fd)
    return moved


def _readable(fd: int, wait_ms: float) -> bool:
    """True as soon as `fd` can be read (a pidfd: when its process is dead)."""
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(max(0.0, wait_ms)))


def _signal(pidfd: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        signal.pidfd_send_signal(pidfd, number)


def _kill_session(pid: int, pidfd: int) -> int:
    """Kills a tree that no namespace holds together, as far as it can be found.

    Descendants and members of the session of `pid`, over and over until none is found. Returns how
    many were left. An orphan that left the session before we looked is not found.
    """
    _signal(pidfd, signal.SIGSTOP)  # it forks no more while we look
    known = {pid}
    deadline = time.monotonic() + KILL_DEADLINE_MS / 1000
    while True:
        known |= (found := _family(known, pid))
        _signal(pidfd, signal.SIGKILL)
        if not found or time.monotonic() > deadline:
            return len(found)
        for member in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(member, signal.SIGKILL)
        time.sleep(0.001)


def _family(known: set[int], session: int) -> set[int]:
    """Living processes in `session`, or with an ancestor in `known`; without `session` itself."""
    table = {int(p.name): s for p in Path("/proc").glob("[0-9]*") if (s := _stat(p)) is not None}
    family = {pid for pid, (_, sid) in table.items() if sid == session}
    while True:
        more = {pid for pid, (parent, _) in table.items() if parent in known | family} - family
        if not more:
            return family - {session}
        family |= more


def _stat(folder: Path) -> tuple[int, int] | None:
    """Parent and session of a process; None if it is dead."""
    try:
        fields = (folder / "stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return None
    return None if fields[0] in (b"Z", b"X") else (int(fields[1]), int(fields[3]))
