"""A trial: the attacks of `attacks/` run under a provider, against real targets set up outside.

Used twice: the capability report is confirmed by it, and `arena.testing.check_sandbox` makes a kit
of it. An attack that wins is a hole; one that was killed, or refused, came to nothing. Each attack
stands in the table below with the capability that it would break, and `harmless` tells whether it
may be tried without a sandbox too, to show that it can win at all.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import pickle
import select
import shutil
import signal
import socket
import sys
import time
import uuid
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.errors import SandboxError
from arena.process import Launch, Process, spawn
from arena.sandbox.api import Limits, Program, Sandbox
from arena.scratch import scratch_folder


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack, and the capability that it would break."""

    name: str
    capability: str
    harmless: bool = True


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an attack ended. `detail` is what it achieved, or what stopped it."""

    attack: str
    won: bool
    detail: str
    capability: str = ""


ATTACKS = (
    Attack("connect-tcp4", "network"),
    Attack("connect-tcp6", "network"),
    Attack("send-udp4", "network"),
    Attack("connect-abstract-socket", "network"),
    Attack("connect-socket-file", "network"),
    Attack("send-to-socket-file", "network"),
    Attack("read-connections", "network"),
    Attack("open-vsock", "network"),
    Attack("open-netlink", "network"),
    Attack("listen", "network"),
    Attack("read-home", "filesystem"),
    Attack("list-home", "filesystem"),
    Attack("read-other-bot", "filesystem"),
    Attack("read-accounts", "filesystem"),
    Attack("read-environment-of-others", "filesystem"),
    Attack("find-host-paths", "filesystem"),
    Attack("write-anywhere", "filesystem"),
    Attack("write-own-folder", "filesystem"),
    Attack("change-modes", "filesystem"),
    Attack("change-inode", "filesystem"),
    Attack("open-proc-for-writing", "filesystem", harmless=False),
    Attack("open-devices", "filesystem", harmless=False),
    Attack("make-device", "filesystem"),
    Attack("see-others", "processes"),
    Attack("signal-others", "processes"),
    Attack("signal-group-of-others", "processes", harmless=False),
    Attack("signal-by-descriptor", "processes"),
    Attack("trace-others", "processes"),
    Attack("read-memory-of-others", "processes"),
    Attack("take-descriptor-of-others", "processes"),
    Attack("limit-others", "processes"),
    Attack("hog-private", "memory"),
    Attack("hog-shared", "memory"),
    Attack("hog-shared-zero", "memory"),
    Attack("hog-memfd", "memory"),
    Attack("hog-pipes", "memory", harmless=False),
    Attack("hog-children", "memory"),
    Attack("hog-read-only", "memory"),
    Attack("hog-page-tables", "memory"),
    Attack("hog-sockets", "memory"),
    Attack("hog-spliced", "memory"),
    Attack("enlarge-socket", "memory"),
    Attack("fork-bomb", "process-count"),
    Attack("thread-bomb", "process-count"),
    Attack("leave-core", "cores"),
    Attack("change-scheduling", "cores"),
    Attack("change-priority", "cores"),
    Attack("fill-disk", "disk"),
    Attack("fill-inodes", "disk"),
    Attack("become-root", "privileges", harmless=False),
    Attack("hold-capabilities", "privileges"),
    Attack("run-setuid-program", "privileges"),
    Attack("make-user-namespace", "privileges", harmless=False),
    Attack("hide-flags-in-clone3", "privileges"),
    Attack("trace-own-child", "privileges", harmless=False),
    Attack("use-keyring", "privileges"),
    Attack("use-io-uring", "privileges"),
    Attack("use-aio", "privileges"),
    Attack("use-userfaultfd", "privileges"),
    Attack("use-bpf", "privileges", harmless=False),
    Attack("use-perf", "privileges", harmless=False),
    Attack("mount-anything", "privileges", harmless=False),
    Attack("enter-by-32-bit-gate", "privileges"),
    Attack("enter-by-x32-numbers", "privileges", harmless=False),
    Attack("raise-limits", "privileges"),
    Attack("queue-signals", "privileges"),
    Attack("lock-memory", "privileges"),
    Attack("dump-core", "privileges", harmless=False),
    Attack("type-into-terminal", "privileges"),
    Attack("resize-pipe", "collusion"),
    Attack("read-global-files", "collusion"),
    Attack("read-sysinfo", "collusion"),
    Attack("ask-page-cache", "collusion"),
)

OPEN_CHANNELS = ("waiting", "mapping")
"""No provider shuts these: they go through any file that two bots see. The guide says so."""

HEAVY = ("memory", "process-count")
"""Attacks on these need a process of their own: they may end in a kill, or disturb others."""

CHANNELS = ("file", "socket", "shared-memory", "flock", "record-lock", "opening", "name")
"""Each has a `send-…` and a `receive-…` that run at the same time in two sandboxes."""

LIMITS = Limits(memory_mb=256, processes=32)
"""Small, so that the attacks on them are quick; yet Python starts within them."""

HOG_MB = 448
MANY_PROCESSES = 200
AT_A_TIME = 3
"""Heavy attacks that run side by side: together they stay far below the memory of a machine."""

TRIAL_MS = 30_000.0
BURN_MS = 200
"""So long is watched what a tree uses, on one core."""

LOOK_MS = 2_000.0
"""How long after a kill a process may still be seen."""


class Trial:
    """Targets outside, and a bot's folder that holds the attacks; a context manager.

    `core`: attacks run pinned to one core, the last of those that we may use.
    """

    def __init__(self, sandbox: Sandbox, limits: Limits = LIMITS) -> None:
        self.sandbox = sandbox
        self.limits = limits
        self.mark = f"mark={uuid.uuid4().hex}"
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Trial:
        with contextlib.ExitStack() as stack:
            self._root = Path(stack.enter_context(scratch_folder("trial")))
            self._root.chmod(0o755)
            self._udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            targets = self._set_up(stack)
            self.folder = _arm(self._root / "attacker", targets)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        while left := self.marked(0):
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        self._stack.close()

    def run(self, names: Sequence[str]) -> list[Outcome]:
        """The outcomes of these attacks, in one process as long as none of them ends it."""
        outcomes: list[Outcome] = []
        while left := names[len(outcomes) :]:
            outcomes += self._run_on(left)
        return outcomes

    def _run_on(self, names: Sequence[str]) -> list[Outcome]:
        """The outcomes up to the first attack that ended its process."""
        with self._start(names) as process:
            return self._outcomes(names, process)

    def _outcomes(self, names: Sequence[str], process: Process) -> list[Outcome]:
        told = [t for t in self._told(process) if "won" in t]
        end = process.exit(0)
        outcomes = [Outcome(str(t["attack"]), bool(t["won"]), str(t["detail"])) for t in told]
        if len(outcomes) < len(names):
            outcomes.append(Outcome(names[len(outcomes)], False, f"ended first: {end}"))
        return outcomes

    def run_each(self, names: Sequence[str]) -> list[Outcome]:
        """The outcomes of these attacks, each in a process of its own, a few at a time."""
        outcomes = []
        for at in range(0, len(names), AT_A_TIME):
            with contextlib.ExitStack() as stack:
                batch = [(n, stack.enter_context(self._start([n]))) for n in names[at:][:AT_A_TIME]]
                outcomes += [self._outcomes([name], process)[0] for name, process in batch]
        return outcomes

    def run_channel(self, channel: str) -> Outcome:
        """Whether a bit goes from one sandbox to another through this channel."""
        with self._start([f"send-{channel}"]) as sender:
            told = next((t for t in self._told(sender) if "sent" in t or "won" in t), {})
            if "sent" not in told:
                return Outcome(channel, False, f"not sent: {told.get('detail')}")
            received = self.run([f"receive-{channel}"])[0]
        return Outcome(channel, received.won, received.detail)

    def survives_kill(self, attack: str) -> Outcome:
        """Whether anything of the tree is left after `Process.kill`."""
        with self._start([attack]) as process:
            if not any("sent" in told for told in self._told(process, until="sent")):
                return Outcome(attack, False, "it did not come so far")
            process.kill()
            left = self.marked(LOOK_MS)
        return Outcome(attack, bool(left), f"left after the kill: {left}")

    def survives_referee(self, attack: str) -> Outcome:
        """Whether anything is left after `kill -9` of the process that spawned it."""
        launch = dataclasses.replace(self._launch([attack]), guards=())
        program = "import pickle, sys; from arena.sandbox.trial import stand_in; stand_in()"
        environment = {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
        with spawn(Launch((sys.executable, "-c", program), environment)) as harness:
            os.write(harness.stdin, pickle.dumps(launch) + b"\n")
            if not any("sent" in told for told in self._told(harness, until="sent")):
                return Outcome(attack, False, "it did not come so far")
            os.kill(harness.pid, signal.SIGKILL)
            left = self.marked(LOOK_MS)
        return Outcome(attack, bool(left), f"left after the harness: {left}")

    def burns_on(self, attack: str) -> Outcome:
        """Whether processor time goes uncounted, or is used on in spite of `Process.pause`."""
        with self._start([attack]) as process:
            if not any("sent" in told for told in self._told(process, until="sent")):
                return Outcome(attack, False, "it did not come so far")
            counted_ms = _used_in(process, BURN_MS)
            if counted_ms < BURN_MS / 10:
                return Outcome(attack, True, f"{counted_ms:.0f} of {BURN_MS} ms are counted")
            process.pause()
            stopped_ms = _used_in(process, BURN_MS)
        return Outcome(attack, stopped_ms > BURN_MS / 4, f"{stopped_ms:.0f} ms while stopped")

    def marked(self, wait_ms: float) -> list[int]:
        """Living processes of this trial, after waiting at most `wait_ms` for there to be none."""
        deadline = time.monotonic() + wait_ms / 1000
        while (found := _with_mark(self.mark)) and time.monotonic() < deadline:
            time.sleep(0.005)
        return found

    def _start(self, names: Sequence[str]) -> Process:
        return spawn(self._launch(names))

    def _launch(self, names: Sequence[str]) -> Launch:
        argv = ("-m", "inside.attacks", self.mark, *names)
        core = max(os.sched_getaffinity(0))
        last: SandboxError | None = None
        for python in (os.path.realpath(sys.executable), "/usr/bin/python3", "python3"):
            try:
                return self.sandbox.launch(
                    Program(self.folder, (python, *argv), core=core), self.limits
                )
            except SandboxError as error:
                last = error
        assert last is not None
        raise last

    def _told(self, process: Process, until: str = "") -> Iterator[dict[str, object]]:
        """The lines of an attacker, until it ends or a line has the key `until`."""
        deadline = time.monotonic() + TRIAL_MS / 1000
        text = b""
        while time.monotonic() < deadline:
            readable, _, _ = select.select([process.stdout, self._udp.fileno()], [], [], 0.5)
            if self._udp.fileno() in readable:
                _, sender = self._udp.recvfrom(100)
                self._udp.sendto(b"pong", sender)
            if process.stdout in readable:
                if not (piece := os.read(process.stdout, 65536)):
                    process.exit(LOOK_MS)
                    return
                *lines, text = (text + piece).split(b"\n")
                for told in map(json.loads, lines):
                    yield told
                    if until in told or (until and "won" in told):
                        return
            elif process.exit(0) is not None:
                return

    def _victim(self) -> Process:
        """A process of ours to be seen and touched; its command line tells a path of the host."""
        return spawn(Launch(("/bin/sh", "-c", "sleep 600; true", self._root.name)))

    def _set_up(self, stack: contextlib.ExitStack) -> dict[str, object]:
        self._udp.bind(("127.0.0.1", 0))
        home, other = self._root / "home", self._root / "other"
        for folder in (home, other):
            folder.mkdir(mode=0o755)
            (folder / "file").write_text("a secret")
        abstract = f"trial-{self.mark}"
        return {
            "tcp4": _listen(stack, socket.AF_INET, ("127.0.0.1", 0)),
            "tcp6": _listen(stack, socket.AF_INET6, ("::1", 0)),
            "udp4": self._udp.getsockname()[1],
            "abstract": _listen(stack, socket.AF_UNIX, f"\0{abstract}") and abstract,
            "socket_path": _named(stack, socket.SOCK_STREAM, self._root / f"s-{self.mark}"),
            "datagram_path": _named(stack, socket.SOCK_DGRAM, self._root / f"d-{self.mark}"),
            "secret_path": str(home / "file"),
            "other_bot_path": str(other / "file"),
            "victim": stack.enter_context(self._victim()).pid,
            "needle": self._root.name,
            "accounts": hashlib.sha256(Path("/etc/passwd").read_bytes()).hexdigest(),
            "hog_mb": HOG_MB,
            "processes": MANY_PROCESSES,
        }


def assault(sandbox: Sandbox, capabilities: Collection[str], *, children: bool) -> list[Outcome]:
    """Every attack on these capabilities; the outcomes of those that came through.

    `children`: programs may have any, so orphans are tried.
    """
    with Trial(sandbox) as trial:
        return [outcome for outcome in _attempts(trial, capabilities, children) if outcome.won]


def _attempts(trial: Trial, capabilities: Collection[str], children: bool) -> Iterator[Outcome]:
    attacks = [a for a in ATTACKS if a.capability in capabilities]
    aimed_at = {a.name: a.capability for a in attacks}
    light = [a.name for a in attacks if a.capability not in HEAVY]
    heavy = [a.name for a in attacks if a.capability in HEAVY]
    for outcome in (*trial.run(light), *trial.run_each(heavy)):
        yield dataclasses.replace(outcome, capability=aimed_at[outcome.attack])
    if "collusion" in capabilities:
        for outcome in map(trial.run_channel, CHANNELS):
            yield dataclasses.replace(outcome, capability="collusion")
    outlive = "outlive" if children else "outlive-alone"
    if "cpu-time" in capabilities:
        for attack in ("burn" if children else "burn-alone", "burn-by-timer"):
            yield dataclasses.replace(trial.burns_on(attack), capability="cpu-time")
    if "tree-kill" in capabilities:
        yield dataclasses.replace(trial.survives_kill(outlive), capability="tree-kill")
    if "referee-death" in capabilities:
        yield dataclasses.replace(trial.survives_referee(outlive), capability="referee-death")


def _used_in(process: Process, span_ms: float) -> float:
    """Processor time that its tree uses in a span, as far as it can be told."""
    before = process.usage()
    time.sleep(span_ms / 1000)
    after = process.usage()
    return 0.0 if before is None or after is None else after.cpu_ms - before.cpu_ms


def stand_in() -> None:
    """A harness that spawns what it is given, passes its first words on, and waits to be killed."""
    launch: Launch = pickle.load(sys.stdin.buffer)
    with spawn(launch) as process:
        for _ in range(2):  # "begins", "sent"
            select.select([process.stdout], [], [], TRIAL_MS / 1000)
            os.write(1, os.read(process.stdout, 65536))
        time.sleep(600)


def _listen(stack: contextlib.ExitStack, family: int, address: object) -> object:
    """Where a new listening socket can be reached: its port, or its path."""
    with contextlib.suppress(OSError):  # a machine without IPv6: nothing to attack there
        listener = stack.enter_context(socket.socket(family, socket.SOCK_STREAM))
        listener.bind(address)  # type: ignore[arg-type]
        listener.listen(16)
        return listener.getsockname()[1] if family != socket.AF_UNIX else True
    return 0


def _named(stack: contextlib.ExitStack, kind: int, path: Path) -> str:
    """The path of a new socket file that everyone may reach."""
    receiver = stack.enter_context(socket.socket(socket.AF_UNIX, kind))
    # An address holds 107 bytes, and a temporary folder may have a longer path.
    folder = os.open(path.parent, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        receiver.bind(f"/proc/self/fd/{folder}/{path.name}")
    finally:
        os.close(folder)
    path.chmod(0o777)
    if kind == socket.SOCK_STREAM:
        receiver.listen(16)
    return str(path)


def _arm(folder: Path, targets: dict[str, object]) -> Path:
    """A bot's folder with the attacks in it, readable by everyone."""
    inside = folder / "inside"
    here = Path(__file__).parent
    shutil.copytree(
        here / "attacks", inside / "attacks", ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copyfile(here / "syscalls.py", inside / "syscalls.py")
    (inside / "__init__.py").write_text("")
    (folder / "targets.json").write_text(json.dumps(targets))
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return folder


def _with_mark(mark: str) -> list[int]:
    """Living processes with `mark` in their command line, launchers included."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit() and int(entry) != os.getpid():
            with contextlib.suppress(OSError):
                if mark.encode() in Path("/proc", entry, "cmdline").read_bytes():
                    found.append(int(entry))
    return found
