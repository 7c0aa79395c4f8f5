"""The provider `bwrap`: Linux namespaces through bubblewrap, without root and without a daemon.

Bubblewrap promises nothing by itself: the argument list below *is* the policy. The program sees
the system's programs and libraries and its own folder, all read-only, a fresh /proc without the
files that tell about the whole machine, five harmless devices, no network, no other processes and
no capabilities.

As an ordinary user a user namespace makes the mounts possible. As root the mounts are made by root
and the program then gets an unprivileged uid of its own: a uid inside a namespace of root's would
be exempt from the process limit, and a uid taken on before the mounts could not show an
interpreter from a closed home folder.

The list travels through a descriptor (`--args`) and bubblewrap's own environment is empty, because
the program can read both of its init (/proc/1).
"""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.errors import SandboxError
from arena.process import Launch, ask, spawn
from arena.sandbox.api import (
    CAPABILITIES,
    Capability,
    CapabilityReport,
    Level,
    Limits,
    Program,
    Unavailable,
)
from arena.sandbox.gate import GATE_FD, READY_FD, LimitsGuard, gated, rlimits
from arena.sandbox.interpreters import Interpreter, find

FOLDER = "/bot"
"""Where the program's folder lies inside."""

INSIDE_PATH = "/usr/local/bin:/usr/bin:/bin"

LOOPBACK_HOSTS = Path(__file__).with_name("loopback_hosts")
"""The names of a private loopback interface, as /etc/hosts has them."""

INFO_FD = 5
BLOCK_FD = 6
ARGS_FD = 7

NAMESPACES = ("ipc", "pid", "net", "uts", "cgroup")

SYSTEM_LINKS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
"""Links into /usr on most systems, folders on old ones."""

SYSTEM_FILES = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/ssl/openssl.cnf")

DEVICES = ("null", "zero", "full", "random", "urandom")

# fmt: off
HIDDEN_PROC_FILES = (
    "buddyinfo", "cgroups", "cmdline", "config.gz", "consoles", "diskstats", "execdomains",
    "interrupts", "iomem", "ioports", "kallsyms", "kcore", "key-users", "keys", "kmsg",
    "kpagecgroup", "kpagecount", "kpageflags", "latency_stats", "loadavg", "locks", "mdstat",
    "meminfo", "modules", "pagetypeinfo", "partitions", "sched_debug", "schedstat", "slabinfo",
    "softirqs", "stat", "swaps", "sysrq-trigger", "timer_list", "timer_stats", "uptime",
    "vmallocinfo", "vmstat", "zoneinfo",
)
"""They tell about the whole machine, and so let two bots talk by what they do to it."""

HIDDEN_PROC_FOLDERS = (
    "acpi", "asound", "bus", "driver", "dynamic_debug", "fs", "irq", "pressure", "scsi", "sys",
    "sysvipc", "tty",
)
# fmt: on

FIRST_UID = 0x7000_0000
"""Up to 0x8000_0000, a range that systemd and others leave unused."""

UIDS_EACH = 64
"""So many starts of one harness process have different uids; pids are below 2**22."""

TRY_MS = 5_000.0

REMEDIES = (
    ("kernel.apparmor_restrict_unprivileged_userns", "1", "load AppArmor's bwrap-userns-restrict"),
    ("user.max_user_namespaces", "0", "sysctl user.max_user_namespaces=15000"),
    ("kernel.unprivileged_userns_clone", "0", "sysctl kernel.unprivileged_userns_clone=1"),
)
"""A kernel setting, the value that refuses user namespaces, and the remedy."""


class Bubblewrap:
    """Shuts programs in with `bwrap`."""

    name = "bwrap"

    def __init__(self, search_path: str | None = None) -> None:
        self._search_path = search_path
        self._found: dict[str, Interpreter] = {}
        self._starts = itertools.count()
        self._help = ""

    def unavailable(self) -> Unavailable | None:
        if _bwrap() is None:
            return Unavailable("bubblewrap is not installed", "apt install bubblewrap")
        if os.getuid() == 0 and shutil.which("setpriv", path=INSIDE_PATH) is None:
            return Unavailable("setpriv is not installed", "apt install util-linux")
        try:
            with spawn(
                self.launch(Program(Path("/usr/share"), ("/usr/bin/true",)), Limits())
            ) as it:
                it.exit(TRY_MS)
        except SandboxError as error:
            return Unavailable(error.what, _remedy())
        return None

    def report(self) -> CapabilityReport:
        return CapabilityReport(
            self.name, "", tuple(Capability(n, Level.ENFORCED, "") for n in CAPABILITIES)
        )

    def launch(self, program: Program, limits: Limits) -> Launch:
        bwrap = _bwrap()
        if bwrap is None:
            raise SandboxError("bubblewrap is not installed", mend="apt install bubblewrap")
        command, mounts = self._command(program)
        helpers = [self._interpreter(name) for name in program.needs]
        mounts = (*mounts, *(m for h in helpers for m in h.mounts), *program.shows)
        as_root = os.getuid() == 0
        if as_root:
            _check_readable(program.folder)
        uid = self._next_uid() if as_root else None
        options = [
            *_namespaces(as_root, self._knows(bwrap, "--disable-userns")),
            *_filesystem(mounts),
            *_loopback(program),
            *_scratch(limits),
            *_folder(program),
            *_environment(program, [command[0], *(helper.path for helper in helpers)]),
        ]
        return Launch(
            argv=(bwrap, "--args", str(ARGS_FD), "--", *_as_uid(uid), *gated(command)),
            feeds={ARGS_FD: b"".join(o.encode() + b"\0" for o in options)},
            gate_fds=(BLOCK_FD, GATE_FD),
            ready_fd=READY_FD,
            info_fd=INFO_FD,
            namespace=True,
            signal_as_status=True,
            guards=(LimitsGuard(rlimits(limits), program.core),),
        )

    def _command(self, program: Program) -> tuple[tuple[str, ...], tuple[Path, ...]]:
        """argv as it is inside, and what must be mounted for its first word."""
        name = program.argv[0]
        if "/" in name and not os.path.isabs(name):
            _check_own(program.folder, name)
            return program.argv, ()
        interpreter = self._interpreter(name)
        return (interpreter.path, *program.argv[1:]), interpreter.mounts

    def _interpreter(self, name: str) -> Interpreter:
        if name not in self._found:
            search = self._search_path or os.environ.get("PATH", os.defpath)
            self._found[name] = find(name, search)
        return self._found[name]

    def _knows(self, bwrap: str, option: str) -> bool:
        self._help = self._help or ask([bwrap, "--help"], timeout_s=10, env={}).out
        return option in self._help

    def _next_uid(self) -> int:
        return FIRST_UID + os.getpid() * UIDS_EACH + next(self._starts) % UIDS_EACH


def _namespaces(as_root: bool, can_disable_more: bool) -> Iterator[str]:
    yield from (f"--unshare-{name}" for name in NAMESPACES)
    yield from ("--hostname", "arena", "--die-with-parent", "--new-session")
    yield from ("--info-fd", str(INFO_FD), "--block-fd", str(BLOCK_FD))
    yield from ("--cap-drop", "ALL")
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
    for name in SYSTEM_FILES:
        yield from ("--ro-bind-try", name, name)
    for folder in sorted(Path("/etc").glob("java*")):
        yield from ("--ro-bind-try", str(folder), str(folder))
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


def _scratch(limits: Limits) -> Iterator[str]:
    if limits.scratch_mb:
        yield from ("--perms", "1777", "--size", str(limits.scratch_mb * 1024 * 1024))
        yield from ("--tmpfs", "/tmp")


def _folder(program: Program) -> Iterator[str]:
    bind = "--bind" if program.writable else "--ro-bind"
    yield from (bind, str(program.folder.resolve()), FOLDER)
    yield from ("--remount-ro", "/", "--chdir", FOLDER)


def _environment(program: Program, commands: Sequence[str]) -> Iterator[str]:
    own = [str(Path(command).parent) for command in commands if os.path.isabs(command)]
    variables = {
        "PATH": ":".join(dict.fromkeys([*own, *INSIDE_PATH.split(":")])),
        "HOME": "/tmp",
        "LANG": "C.UTF-8",
        **program.env,
    }
    yield "--clearenv"
    for name, value in variables.items():
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
    for name, refusing, remedy in REMEDIES:
        setting = Path("/proc/sys", *name.split("."))
        if setting.exists() and setting.read_text().strip() == refusing:
            return remedy
    return "a container needs --privileged for it; or use another provider (`arena doctor`)"


def _check_own(folder: Path, name: str) -> None:
    own = folder / name
    if not os.access(own, os.X_OK):
        what = "is not executable" if own.exists() else "is not there"
        raise SandboxError(
            what, where=str(own), mend="build the bot, chmod +x it, or mend `run` in bot.toml"
        )


def _check_readable(folder: Path) -> None:
    if folder.stat().st_mode & 0o005 != 0o005:
        raise SandboxError(
            "the bot's own uid cannot read its folder",
            where=str(folder),
            mend=f"chmod -R o+rX {folder}",
        )
