"""Hard limits for a whole tree, where the machine grants us control groups.

Two generations exist and both are found by trying, never by asking what should be there: version 1
as root, and version 2 in a group that was delegated to us (`systemd-run --user --scope -p
Delegate=yes arena run …`). Every started tree gets a group below our own, entered by its init while
that waits at the gate, and removed after the tree is dead.

Version 2 allows no processes in a group whose children have limits; so the harness moves itself
into a group `harness` below its own, once, and its workers are found there.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from arena.process import Exit

HARNESS = "harness"

REMOVE_S = 0.2
"""How long a dead tree's group may still be busy."""


@dataclass(frozen=True, slots=True)
class Controller:
    """One hierarchy: where our groups go, and the files that limit and tell."""

    base: Path
    memory_limit: str = ""
    memory_events: str = ""
    processes_limit: str = ""


@dataclass(frozen=True, slots=True)
class CgroupGuard:
    """Puts a tree into groups of its own, with these limits."""

    controllers: tuple[Controller, ...]
    memory_bytes: int
    processes: int

    def attach(self, pid: int, pidfd: int) -> CgroupHold:
        groups = []
        for controller in self.controllers:
            group = controller.base / f"arena-{pid}"
            group.mkdir()
            groups.append((controller, group))
            if controller.memory_limit:
                _write(group / controller.memory_limit, self.memory_bytes)
            if controller.processes_limit:
                _write(group / controller.processes_limit, self.processes)
            _write(group / "cgroup.procs", pid)
        return CgroupHold(tuple(groups))


@dataclass(frozen=True, slots=True)
class CgroupHold:
    """The groups of one tree."""

    groups: tuple[tuple[Controller, Path], ...]

    def verdict(self) -> Exit | None:
        for controller, group in self.groups:
            if controller.memory_events and _kills(group / controller.memory_events):
                return Exit(
                    signal=signal.SIGKILL, memory=True, detail="killed at its cgroup's limit"
                )
        return None

    def release(self) -> None:
        for _, group in self.groups:
            deadline = time.monotonic() + REMOVE_S
            while not _removed(group) and time.monotonic() < deadline:
                time.sleep(0.002)


def probe() -> tuple[Controller, ...]:
    """The hierarchies in which we can make groups with limits; empty if there are none."""
    found = tuple(c for c in (*_version_1(), *_version_2()) if _works(c))
    for controller in found:
        _sweep(controller.base)
    return found


def _sweep(base: Path) -> None:
    """Removes what a killed harness left behind: groups whose init is gone."""
    for group in base.glob("arena-*"):
        if not Path("/proc", group.name.rpartition("-")[2]).exists():
            _removed(group)


def _version_1() -> list[Controller]:
    memory, pids = _own_group("memory"), _own_group("pids")
    found = []
    if memory is not None:
        found.append(Controller(memory, "memory.limit_in_bytes", "memory.oom_control"))
    if pids is not None:
        found.append(Controller(pids, processes_limit="pids.max"))
    return found


def _version_2() -> list[Controller]:
    own = _own_group("")
    if own is None or not os.access(own, os.W_OK):
        return []
    base = own.parent if own.name == HARNESS else own
    with contextlib.suppress(OSError):
        if base == own and "memory" not in (base / "cgroup.subtree_control").read_text():
            if "memory" not in (base / "cgroup.controllers").read_text():
                return []
            (base / HARNESS).mkdir(exist_ok=True)
            _write(base / HARNESS / "cgroup.procs", os.getpid())
            _write(base / "cgroup.subtree_control", "+memory +pids")
        return [Controller(base, "memory.max", "memory.events", "pids.max")]
    return []


def _own_group(controller: str) -> Path | None:
    """The folder of our own group in the hierarchy of a controller; '' is version 2."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        number, names, path = line.split(":", 2)
        if (controller in names.split(",")) if controller else number == "0":
            return _mounted(controller, path)
    return None


def _mounted(controller: str, path: str) -> Path | None:
    """Where the group `path` of a hierarchy is to be found, seen from our mounts."""
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        before, _, after = line.partition(" - ")
        kind, _, options = after.split(" ", 2)
        wanted = (
            kind == "cgroup" and controller in options.split(",")
            if controller
            else kind == "cgroup2"
        )
        if wanted:
            root, point = before.split()[3:5]
            inside = path.removeprefix(root.rstrip("/")).lstrip("/")
            return Path(point, inside)
    return None


def _works(controller: Controller) -> bool:
    group = controller.base / f"arena-probe-{os.getpid()}"
    try:
        group.mkdir()
    except OSError:
        return False
    try:
        for name in filter(None, (controller.memory_limit, controller.processes_limit)):
            _write(group / name, 1 << 30)
        return True
    except OSError:
        return False
    finally:
        _removed(group)


def _kills(events: Path) -> int:
    """The kernel's count of kills for memory in a group."""
    with contextlib.suppress(OSError):
        counts = dict(line.split() for line in events.read_text().splitlines())
        return int(counts.get("oom_kill", 0))
    return 0


def _removed(group: Path) -> bool:
    try:
        group.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _write(path: Path, value: object) -> None:
    path.write_text(str(value))
