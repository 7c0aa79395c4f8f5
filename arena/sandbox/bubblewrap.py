"""The provider `bwrap`: Linux namespaces through bubblewrap, without root and without a daemon.

Bubblewrap promises nothing by itself: the argument list below *is* the policy. The program sees
the system's programs and libraries and its own folder, all read-only, a fresh /proc without the
files that tell about the whole machine, three harmless devices, no network, no other processes and
no capabilities.

As an ordinary user a user namespace makes the mounts possible. As root the mounts are made by root
and the program then gets an unprivileged uid of its own: a uid inside a namespace of root's would
be exempt from the process limit, and a uid taken on before the mounts could not show an
interpreter from a closed home folder.

The list travels through a descriptor (`--args`) and bubblewrap's own environment is empty, because
the program can read both of its init (/proc/1).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import MappingProxyType

from arena.errors import SandboxError
from arena.process import Launch, ask
from arena.sandbox.api import (
    CapabilityReport,
    Level,
    Limits,
    Program,
    Unavailable,
)
from arena.sandbox.cgroups import Controller, GroupRoom, probe
from arena.sandbox.gate import (
    GATE_FD,
    READY_FD,
    SCRIPT,
    LimitsGuard,
    gated,
    rlimits,
    with_environment,
)
from arena.sandbox.interpreters import Commands
from arena.sandbox.layout import (
    DEVICES,
    INSIDE_PATH,
    LOOPBACK_HOSTS,
    SYSTEM_LINKS,
    environment,
    system_files,
)
from arena.sandbox.report import Claims, confirmed
from arena.sandbox.seccomp import Policy, build, supported
from arena.sandbox.starting import refusal
from arena.sandbox.uids import Uids, check_readable, rules_uids
from arena.sandbox.unborn import sweep
from arena.sandbox.watch import Bounds, Watcher, WatchGuard

FOLDER = "/bot"
"""Where the program's folder lies inside."""

INFO_FD = 5
INFO_END_FD = 6
CGROUP_FD = 7
"""Up to here the gate's shell has to close them, and plain shells know one digit only."""

BLOCK_FD = 10
ARGS_FD = 11
FILTER_FD = 12

NAMESPACES = ("ipc", "pid", "net", "uts", "cgroup")

# fmt: off
HIDDEN_PROC_FILES = (
    "buddyinfo", "cgroups", "cmdline", "diskstats", "interrupts", "key-users", "latency_stats",
    "loadavg", "locks", "mdstat", "meminfo", "sched_debug", "schedstat", "softirqs", "stat",
    "swaps", "timer_stats", "uptime", "vmstat", "zoneinfo",
)
"""They tell about the whole machine, and so let two bots talk by what they do to it. Files that
only root can read are not here (each mount costs a tenth of a millisecond), nor are such that never
change."""

HIDDEN_PROC_FOLDERS = ("fs", "irq", "pressure", "sys")
# fmt: on

MEGABYTE = 1024 * 1024

KERNEL_MB = 64
"""What a control group counts beyond the bot's own memory: pipes, page tables, cached files."""

OWN_PROCESSES = 4
"""Bubblewrap's init and the gate, counted by a control group as well."""

NO_FILTER = (
    "no system call filter for this architecture",
    "use x86_64 or aarch64, or --sandbox container",
)

REMEDIES = (
    ("kernel.apparmor_restrict_unprivileged_userns", "1", "0"),
    ("user.max_user_namespaces", "0", "15000"),
    ("kernel.unprivileged_userns_clone", "0", "1"),
)
"""A kernel setting, the value that refuses user namespaces, and one that grants them."""


CLAIMS: Claims = MappingProxyType(
    {
        "network": (Level.ENFORCED, "a network namespace without a way out; socket() is refused"),
        "filesystem": (
            Level.ENFORCED,
            "system and bot read-only, nothing else there (mountinfo names the mounted folders)",
        ),
        "processes": (Level.ENFORCED, "a pid namespace; ptrace and its kin are refused"),
        "process-count": (Level.ENFORCED, "RLIMIT_NPROC in a user namespace or uid of its own"),
        "cores": (Level.ENFORCED, "pinned to the table's core; sched_setaffinity is refused"),
        "cpu-time": (
            Level.WATCHED,
            "counted for the whole tree; who takes the core from others is killed and charged",
        ),
        "disk": (Level.ENFORCED, "nothing is writable but a tmpfs of bounded size, if granted"),
        "tree-kill": (Level.ENFORCED, "SIGKILL to the namespace's init by pidfd"),
        "referee-death": (
            Level.ENFORCED,
            "parent-death signals, and a gate that end of file shuts",
        ),
        "privileges": (Level.ENFORCED, "no capabilities, none to be gained; system call filter"),
        "collusion": (
            Level.NONE,
            "shut: files, sockets, shared memory, locks, inotify, totals of /proc; open: "
            "common files (page cache, mappings, futexes), load, the pipe quota of a user",
        ),
    }
)
"""All but memory, which depends on control groups."""

SCRATCH = "/tmp"
"""Where a bot finds its writable space, if it is granted any."""


class Bubblewrap:
    """Shuts programs in with `bwrap`."""

    name = "bwrap"

    def __init__(self, search_path: str | None = None, cache: Path | None = None) -> None:
        self._commands = Commands(search_path)
        self._cache = cache
        self._probed = False
        self._found_controller: Controller | None = None
        self._uids = Uids()
        self._filters: dict[Policy, bytes] = {}
        self._swept = False
        self._help = ""
        self._watcher = Watcher()

    def unavailable(self) -> Unavailable | None:
        if _bwrap() is None:
            return Unavailable("bubblewrap is not installed", "apt install bubblewrap")
        if rules_uids() and shutil.which("setpriv", path=INSIDE_PATH) is None:
            return Unavailable("setpriv is not installed", "apt install util-linux")
        if supported() is None:
            return Unavailable(*NO_FILTER)
        why = refusal(self)
        return None if why is None else Unavailable(why, _remedy())

    def report(self) -> CapabilityReport:
        version = ask([_bwrap() or "bwrap", "--version"], timeout_s=10, env={}).out
        return confirmed(self, version, self._claims(), children=True, cache=self._cache)

    def _claims(self) -> Claims:
        memory = (
            (Level.ENFORCED, "a cgroup for each bot, RLIMIT_DATA for each process")
            if self._controller() is not None
            else (
                Level.WATCHED,
                "the tree's memory, page tables and socket buffers summed; RLIMIT_DATA a process",
            )
        )
        return {**CLAIMS, "memory": memory}

    def _controller(self) -> Controller | None:
        if not self._probed:
            self._probed, self._found_controller = True, probe()
        return self._found_controller

    def launch(self, program: Program, limits: Limits) -> Launch:
        bwrap = _bwrap()
        if bwrap is None:
            raise SandboxError("bubblewrap is not installed", mend="apt install bubblewrap")
        if not self._swept:
            self._swept = True
            sweep(SCRIPT)
        command = self._commands.resolve(program, limits.toolchains)
        uid = self._uids.next()
        if uid is not None:
            check_readable(program.folder)
        options = [
            *_namespaces(uid is not None, self._knows(bwrap, "--disable-userns")),
            *_filesystem((*command.mounts, *program.shows)),
            *_loopback(program),
            *_scratch(limits),
            *_folder(program),
            *_environment(limits, command.folders),
        ]
        room = self._room(limits)
        inner = gated(
            with_environment(command.argv, program.env),
            close=(INFO_END_FD,),
            enter=CGROUP_FD if room is not None else None,
        )
        return Launch(
            argv=(bwrap, "--args", str(ARGS_FD), "--", *_as_uid(uid), *inner),
            feeds={
                ARGS_FD: b"".join(o.encode() + b"\0" for o in options),
                FILTER_FD: self._filter(program),
            },
            rooms={} if room is None else {CGROUP_FD: room},
            gate_fds=(BLOCK_FD, GATE_FD),
            ready_fd=READY_FD,
            info_fd=INFO_FD,
            namespace=True,
            filtered_init=True,
            signal_as_status=True,
            guards=(
                LimitsGuard(rlimits(limits), program.core),
                WatchGuard(self._watcher, _bounds(limits)),
                *self._uids.guards(uid),
            ),
        )

    def _filter(self, program: Program) -> bytes:
        policy = Policy(writable=program.writable, loopback=program.loopback)
        if policy not in self._filters:
            self._filters[policy] = build(policy)
        return self._filters[policy]

    def _room(self, limits: Limits) -> GroupRoom | None:
        """A control group for each start, where there are any."""
        if (controller := self._controller()) is None:
            return None
        memory = (limits.memory_mb + limits.scratch_mb + KERNEL_MB) * MEGABYTE
        return GroupRoom(controller, memory, limits.processes + OWN_PROCESSES)

    def _knows(self, bwrap: str, option: str) -> bool:
        self._help = self._help or ask([bwrap, "--help"], timeout_s=10, env={}).out
        return option in self._help


def _namespaces(as_root: bool, can_disable_more: bool) -> Iterator[str]:
    yield from (f"--unshare-{name}" for name in NAMESPACES)
    yield from ("--hostname", "arena", "--die-with-parent", "--new-session")
    yield from ("--info-fd", str(INFO_FD), "--block-fd", str(BLOCK_FD))
    yield from ("--seccomp", str(FILTER_FD), "--cap-drop", "ALL")
    if as_root:  # what setpriv needs to give all of it up
        for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
            yield from ("--cap-add", capability)
    else:
        yield from ("--unshare-user", "--uid", "1000", "--gid", "1000")
        if can_disable_more:
            yield "--disable-userns"


def _filesystem(mounts: tuple[Path, ...]) -> Iterator[str]:
    yield from _open_folders("/dev", "/dev/shm", "/etc", "/etc/ssl", "/tmp")
    yield from ("--ro-bind", "/usr", "/usr")
    for name in SYSTEM_LINKS:
        outside = Path("/", name)
        if outside.is_symlink():
            yield from ("--symlink", os.readlink(outside), f"/{name}")
        elif outside.is_dir():
            yield from ("--ro-bind", f"/{name}", f"/{name}")
    for name in system_files():
        yield from ("--ro-bind", name, name)
    for mount in dict.fromkeys(mounts):
        yield from _open_folders(*map(str, reversed(mount.parents)))
        yield from ("--ro-bind", str(mount), str(mount))
    yield from _devices()
    yield from _proc()


def _loopback(program: Program) -> Iterator[str]:
    """The name of the loopback interface, which bubblewrap brings up."""
    if program.loopback:
        yield from ("--ro-bind", str(LOOPBACK_HOSTS), "/etc/hosts")


def _open_folders(*names: str) -> Iterator[str]:
    """Empty folders that every uid can enter; bubblewrap's own are for their owner alone."""
    for name in names:
        yield from ("--perms", "0755", "--dir", name)


def _devices() -> Iterator[str]:
    for name in DEVICES:
        yield from ("--dev-bind", f"/dev/{name}", f"/dev/{name}")
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        yield from ("--symlink", f"/proc/self/fd/{number}", f"/dev/{name}")
    yield from ("--symlink", "/proc/self/fd", "/dev/fd")


def _proc() -> Iterator[str]:
    yield from ("--proc", "/proc")
    for name in HIDDEN_PROC_FILES:
        if os.path.exists(f"/proc/{name}"):
            yield from ("--ro-bind", "/dev/null", f"/proc/{name}")
    for name in HIDDEN_PROC_FOLDERS:
        if os.path.isdir(f"/proc/{name}"):
            yield from ("--tmpfs", f"/proc/{name}", "--remount-ro", f"/proc/{name}")
    yield from ("--remount-ro", "/proc")


def _bounds(limits: Limits) -> Bounds:
    return Bounds(limits.memory_mb * MEGABYTE, scratch=SCRATCH if limits.scratch_mb else "")


def _scratch(limits: Limits) -> Iterator[str]:
    if limits.scratch_mb:
        yield from ("--perms", "1777", "--size", str(limits.scratch_mb * 1024 * 1024))
        yield from ("--tmpfs", SCRATCH)


def _folder(program: Program) -> Iterator[str]:
    bind = "--bind" if program.writable else "--ro-bind"
    yield from (bind, str(program.folder.resolve()), FOLDER)
    yield from ("--remount-ro", "/", "--chdir", FOLDER)


def _environment(limits: Limits, folders: Sequence[str]) -> Iterator[str]:
    """The environment of everything inside, `setpriv` and the gate included: no word of a bot."""
    yield "--clearenv"
    for name, value in environment(limits, folders).items():
        yield from ("--setenv", name, value)


def _as_uid(uid: int | None) -> tuple[str, ...]:
    """The command that takes on `uid` for good; nothing if there is none to take on."""
    if uid is None:
        return ()
    ids = ("--reuid", str(uid), "--regid", str(uid), "--clear-groups")
    return (
        "/usr/bin/setpriv",
        *ids,
        "--no-new-privs",
        "--bounding-set=-all",
        "--inh-caps=-all",
        "--",
    )


def _bwrap() -> str | None:
    return shutil.which("bwrap", path="/usr/bin:/usr/local/bin:/bin")


def _remedy() -> str:
    """What to change so that user namespaces can be made; by the kernel's own settings."""
    for name, refusing, granting in REMEDIES:
        setting = Path("/proc/sys", *name.split("."))
        if setting.exists() and setting.read_text().strip() == refusing:
            return f"`sudo sysctl -w {name}={granting}` lifts the limit"
    return "in a container: start it with `docker run --privileged`, which lifts the limit"
