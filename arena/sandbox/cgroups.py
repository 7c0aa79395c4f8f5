"""Hard limits for a whole tree, where the machine grants us control groups.

Two generations exist and both are found by trying, never by asking what should be there: version 1
as root, and version 2 in a group that was delegated to us (`systemd-run --user --scope -p
Delegate=yes arena run …`). Every tree gets a group below our own, and enters it by itself while it
waits at the gate, through a file that we opened: a process that moves itself as a single thread
costs the kernel nothing, moving another one costs it some 10 ms. The group is removed after the
tree is dead.

Version 2 allows no processes in a group whose children have limits; so the harness moves itself
into a group `harness` below its own, once, and its workers are found there.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
import uuid
from dataclasses import dataclass
from pathlib import Path

from arena.process import Exit
from arena.scratch import is_dead, owner, owner_in

HARNESS = "harness"

REMOVE_S = 0.2
"""How long a dead tree's group may still be busy."""


@dataclass(frozen=True, slots=True)
class Controller:
    """The hierarchy where our groups go, and the files that limit, tell, and let one in.

    `swap_limit` bounds what goes to swap: alone, or memory and swap `together`. A kernel that has
    no swap has no such file.
    """

    base: Path
    memory_limit: str
    memory_events: str
    entrance: str
    processes_limit: str = ""
    swap_limit: str = ""
    together: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """A group for one start: tells of kills for memory, and is removed when it is let go."""

    controller: Controller
    path: Path

    def verdict(self) -> Exit | None:
        if not _kills(self.path / self.controller.memory_events):
            return None
        return Exit(signal=signal.SIGKILL, memory=True, detail="killed at its cgroup's limit")

    def release(self) -> None:
        deadline = time.monotonic() + REMOVE_S
        while not _removed(self.path) and time.monotonic() < deadline:
            time.sleep(0.002)


@dataclass(frozen=True, slots=True)
class GroupRoom:
    """Makes a group with these limits for each start; its name tells whose it is."""

    controller: Controller
    memory_bytes: int
    processes: int

    def open(self) -> tuple[int, Group]:
        """Its entrance (whoever writes 0 there is in the group), and the group."""
        name = f"arena-{owner()}-{uuid.uuid4().hex[:12]}"
        group = Group(self.controller, self.controller.base / name)
        group.path.mkdir()
        try:
            self._limit(group.path)
            entrance = group.path / self.controller.entrance
            return os.open(entrance, os.O_WRONLY | os.O_CLOEXEC), group
        except OSError:
            group.release()
            raise

    def _limit(self, path: Path) -> None:
        _write(path / self.controller.memory_limit, self.memory_bytes)
        if (path / self.controller.swap_limit).is_file():
            swap = self.memory_bytes if self.controller.together else 0
            _write(path / self.controller.swap_limit, swap)
        if self.controller.processes_limit:
            _write(path / self.controller.processes_limit, self.processes)


def probe() -> Controller | None:
    """The hierarchy in which we can make groups with limits; None if there is none."""
    for controller in (_version_1(), _version_2()):
        if controller is not None and _works(controller):
            _sweep(controller.base)
            return controller
    return None


def _sweep(base: Path) -> None:
    """Removes what killed harnesses left behind."""
    for group in base.glob("arena-*"):
        if (its := owner_in(group.name)) and is_dead(its):
            _removed(group)


def _version_1() -> Controller | None:
    memory = _own_group("memory")
    if memory is None:
        return None
    return Controller(
        memory,
        "memory.limit_in_bytes",
        "memory.oom_control",
        "tasks",
        swap_limit="memory.memsw.limit_in_bytes",
        together=True,
    )


def _version_2() -> Controller | None:
    own = _own_group("")
    if own is None or not os.access(own, os.W_OK):
        return None
    base = own.parent if own.name == HARNESS else own
    try:
        if base == own:
            _make_room(base)
    except OSError:
        return None
    return Controller(
        base, "memory.max", "memory.events", "cgroup.procs", "pids.max", "memory.swap.max"
    )


def _make_room(base: Path) -> None:
    """Gives our own group children with limits, ourselves among them. Raises OSError."""
    if "memory" in (base / "cgroup.subtree_control").read_text():
        return
    (base / HARNESS).mkdir(exist_ok=True)
    _write(base / HARNESS / "cgroup.procs", os.getpid())
    _write(base / "cgroup.subtree_control", "+memory +pids")


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
    group = controller.base / f"arena-{owner()}-probe"
    try:
        group.mkdir()
    except OSError:
        return False
    try:
        for name in filter(None, (controller.memory_limit, controller.processes_limit)):
            _write(group / name, 1 << 30)
        return (group / controller.swap_limit).is_file() or not _swaps()
    except OSError:
        return False
    finally:
        _removed(group)


def _swaps() -> bool:
    """True if this machine has swap: memory that went there counts for no limit of memory alone."""
    with contextlib.suppress(OSError):
        return len(Path("/proc/swaps").read_text().splitlines()) > 1
    return False


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
