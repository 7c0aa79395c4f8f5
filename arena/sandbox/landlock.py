"""The provider `landlock`: no namespaces and no system package, one process for each bot.

For machines where user namespaces are refused. The program is started by `confine.py`, which gives
up every right by itself before it becomes the program: Landlock for files (and TCP, and signals, on
newer kernels), the system call filter, limits, and as root a uid of its own. What namespaces would
hide must be refused instead: the filter allows no children, and no signal to anyone else. Programs
can still see that a path exists, though not what it holds.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from arena.errors import SandboxError
from arena.process import Guard, Launch
from arena.sandbox import confine
from arena.sandbox.api import CapabilityReport, Level, Limits, Program, Unavailable
from arena.sandbox.gate import GATE_FD, READY_FD, LimitsGuard, rlimits
from arena.sandbox.interpreters import Command, Commands
from arena.sandbox.layout import DEVICES, INSIDE_PATH, SYSTEM_LINKS, environment, system_files
from arena.sandbox.report import Claims, confirmed
from arena.sandbox.seccomp import Policy, build, supported
from arena.sandbox.starting import refusal
from arena.sandbox.uids import Uids, check_readable, rules_uids
from arena.sandbox.watch import Bounds, Watcher, WatchGuard

MEGABYTE = 1024 * 1024

CLAIMS: Claims = MappingProxyType(
    {
        "network": (Level.ENFORCED, "socket() is refused"),
        "filesystem": (
            Level.ENFORCED,
            "Landlock: system and bot can be read, nothing written; that a path exists can be seen",
        ),
        "processes": (Level.ENFORCED, "no signal to others, no ptrace, no /proc but its own"),
        "memory": (Level.WATCHED, "its memory and page tables looked at every 10 ms; RLIMIT_DATA"),
        "cores": (Level.ENFORCED, "pinned to the table's core; sched_setaffinity is refused"),
        "cpu-time": (
            Level.WATCHED,
            "counted for the whole tree; who takes the core from others is killed and charged",
        ),
        "disk": (Level.ENFORCED, "nothing is writable"),
        "tree-kill": (Level.ENFORCED, "it may have no children; SIGKILL by pidfd"),
        "referee-death": (Level.ENFORCED, "parent-death signal, and a gate that end of file shuts"),
        "privileges": (Level.ENFORCED, "no capabilities, none to be gained; system call filter"),
        "collusion": (
            Level.NONE,
            "shut: files, sockets, shared memory, locks, inotify, totals of /proc; open: "
            "common files (page cache, mappings, futexes), load, the pipe quota of a user",
        ),
    }
)
"""All but process-count, which depends on who we are."""

PROCESS_COUNT: Mapping[bool, tuple[Level, str]] = MappingProxyType(
    {
        True: (Level.ENFORCED, "no children; RLIMIT_NPROC for a uid of its own counts threads"),
        False: (Level.WATCHED, "no children; threads counted when memory is looked at"),
    }
)
"""With uids to give or not: the limits of an ordinary user count all of that user's processes."""


OWN_PROC = (
    "auxv", "cgroup", "cmdline", "comm", "coredump_filter", "environ", "fd", "fdinfo", "limits",
    "maps", "sched", "schedstat", "smaps", "smaps_rollup", "stat", "statm", "status",
)  # fmt: skip
"""What a program may read of itself. Not `net`: without a network namespace it tells of the whole
machine's connections; so does `net` of each thread, so that threads can only be listed."""


class Landlock:
    """Shuts programs in with what every process may do to itself."""

    name = "landlock"

    def __init__(
        self,
        search_path: str | None = None,
        cache: Path | None = None,
        bots_in: Callable[[], Path] | None = None,
    ) -> None:
        """`bots_in` gives the folder in which built bots lie, where that is known beforehand."""
        self._bots_in = bots_in
        self._commands = Commands(search_path)
        self._system_commands = Commands(INSIDE_PATH)
        self._cache = cache
        self._uids = Uids()
        self._watcher = Watcher()

    def unavailable(self) -> Unavailable | None:
        if supported() is None:
            return Unavailable(
                "no system call filter for this architecture", "use x86_64 or aarch64"
            )
        if sys.platform != "linux" or confine.landlock_abi() < 1:
            return Unavailable(
                "the kernel has no Landlock", "Linux 5.13 or later, with lsm=…,landlock"
            )
        bots_in = None if self._bots_in is None else self._bots_in()
        if bots_in and rules_uids() and (shut := _shut_on_the_way(bots_in)) is not None:
            return Unavailable(
                f"as root a bot has a uid of its own, which cannot pass {shut} on the way to the "
                "cache",
                "set XDG_CACHE_HOME to a folder that everybody may enter, such as /var/cache, or "
                "use --sandbox bwrap",
            )
        why = refusal(self)
        return None if why is None else Unavailable(why, "use --sandbox bwrap or container")

    def report(self) -> CapabilityReport:
        claims = {**CLAIMS, "process-count": PROCESS_COUNT[rules_uids()]}
        version = f"ABI {confine.landlock_abi()}"
        return confirmed(self, version, claims, children=False, cache=self._cache)

    def launch(self, program: Program, limits: Limits) -> Launch:
        _refuse(program, limits)
        uid = self._uids.next()
        command = self._resolve(program, limits, uid)
        policy = Policy(alone=True, pid=confine.PID_PLACE)
        orders: confine.Orders = {
            "argv": _absolute(command, program),
            "env": {**environment(limits, command.folders), **program.env},
            "folder": str(program.folder.resolve()),
            "read": [*_readable(command, program)],
            "list": ["/proc/self", "/proc/self/task"],
            "write": ["/dev/null"],
            "filter": build(policy).hex(),
            "uid": uid,
            "gate_fd": GATE_FD,
            "ready_fd": READY_FD,
        }
        return Launch(
            argv=(sys.executable, "-I", "-S", confine.__file__),
            feeds={confine.ORDERS_FD: marshal.dumps(cast(Any, orders))},
            gate_fds=(GATE_FD,),
            ready_fd=READY_FD,
            namespace=True,  # of one: it may have no children
            guards=self._guards(program, limits, uid),
        )

    def _resolve(self, program: Program, limits: Limits, uid: int | None) -> Command:
        """The command of a program; the system's own where a uid cannot reach the one on PATH."""
        command = self._commands.resolve(program, limits.toolchains)
        if uid is None:
            return command
        check_readable(program.folder)
        try:
            _check_reachable(command)
        except SandboxError:
            command = self._system_commands.resolve(program, limits.toolchains)
            _check_reachable(command)
        return command

    def _guards(self, program: Program, limits: Limits, uid: int | None) -> tuple[Guard, ...]:
        threads = limits.processes if uid is None else 0
        bounds = Bounds(limits.memory_mb * MEGABYTE, threads)
        return (
            LimitsGuard(rlimits(limits, count_processes=uid is not None), program.core),
            WatchGuard(self._watcher, bounds, single=True),
            *self._uids.guards(uid),
        )


def _refuse(program: Program, limits: Limits) -> None:
    """What only a provider with mounts and namespaces can give."""
    wants = {
        "a build": program.writable,
        "a private loopback interface": program.loopback,
        "other programs": bool(program.needs),
        "scratch space": bool(limits.scratch_mb),
    }
    for what, wanted in wants.items():
        if wanted:
            raise SandboxError(
                f"landlock cannot give {what}",
                where=str(program.folder),
                mend="use --sandbox bwrap or container",
            )


def _absolute(command: Command, program: Program) -> tuple[str, ...]:
    """argv with a first word that exec finds without a PATH."""
    first = command.argv[0]
    if not os.path.isabs(first):
        first = str(program.folder.resolve() / first)
    return (first, *command.argv[1:])


def _readable(command: Command, program: Program) -> Iterator[str]:
    yield "/usr"
    yield from (f"/{n}" for n in SYSTEM_LINKS if os.path.isdir(f"/{n}"))
    yield from system_files()
    yield from (f"/dev/{name}" for name in DEVICES)
    yield from (str(path) for path in (*command.mounts, *program.shows))
    yield str(program.folder.resolve())
    yield from (f"/proc/self/{name}" for name in OWN_PROC if os.path.exists(f"/proc/self/{name}"))


def _check_reachable(command: Command) -> None:
    """A uid of its own cannot pass a closed folder, and without mounts nothing else shows it."""
    for mount in command.mounts:
        if (shut := _shut_on_the_way(mount)) is not None:
            raise SandboxError(
                f"the bot's uid cannot pass {shut} on the way to its interpreter",
                where=command.argv[0],
                mend="install it system-wide, use --sandbox bwrap, or do not run as root",
            )


def _shut_on_the_way(place: Path) -> Path | None:
    """The first folder, from the place upwards, that a uid of its own cannot pass."""
    folders = (place, *place.parents)
    return next((each for each in folders if not each.stat().st_mode & 0o001), None)
