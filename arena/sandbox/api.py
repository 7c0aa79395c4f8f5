"""What every sandbox provider keeps.

A provider does not start anything by itself: it turns a `Program` and its `Limits` into a
`process.Launch`, and `process.spawn` starts that. What a provider enforces is said by its
`CapabilityReport`, which is confirmed by trying, never inferred from a version number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from arena.process import Launch


class Level(StrEnum):
    """How far a capability holds: the kernel forbids it, we watch and kill, or nothing does."""

    ENFORCED = "enforced"
    WATCHED = "watched"
    NONE = "none"

    def satisfies(self, required: Level) -> bool:
        """True if this level is at least `required`."""
        order = (Level.NONE, Level.WATCHED, Level.ENFORCED)
        return order.index(self) >= order.index(required)


CAPABILITIES = (
    "network",
    "filesystem",
    "processes",
    "memory",
    "process-count",
    "cores",
    "cpu-time",
    "disk",
    "tree-kill",
    "referee-death",
    "privileges",
    "collusion",
)
"""Every report names each of these once, in this order."""


@dataclass(frozen=True, slots=True)
class Capability:
    """One promise of a provider: its level, and one line saying how (or why not)."""

    name: str
    level: Level
    how: str


@dataclass(frozen=True, slots=True)
class CapabilityReport:
    """What a provider enforces on this machine. `capabilities` in the order of CAPABILITIES."""

    provider: str
    version: str
    capabilities: tuple[Capability, ...]

    def level(self, name: str) -> Level:
        """The level of one capability; NONE if the report does not name it."""
        return next((c.level for c in self.capabilities if c.name == name), Level.NONE)

    def without(self, name: str, why: str) -> CapabilityReport:
        """The same report for a run in which nothing holds one of the capabilities."""
        changed = (
            Capability(name, Level.NONE, why) if c.name == name else c for c in self.capabilities
        )
        return replace(self, capabilities=tuple(changed))

    def as_dict(self) -> dict[str, object]:
        return {
            "provider": self.provider,
            "version": self.version,
            "capabilities": {
                c.name: {"level": c.level.value, "how": c.how} for c in self.capabilities
            },
        }


@dataclass(frozen=True, slots=True)
class Unavailable:
    """Why a provider cannot be used here, and what to do about it, one line each."""

    reason: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Limits:
    """What a bot's process tree may use."""

    memory_mb: int = 512
    processes: int = 64
    open_files: int = 256
    file_size_bytes: int = 16 * 1024 * 1024
    scratch_mb: int = 0
    """Size of a writable scratch folder (/tmp); 0: nothing is writable."""
    cpu_s: int = 0
    """Processor time of one process; 0: unlimited (a bot that plays is limited by its clock)."""
    toolchains: tuple[Path, ...] = ()
    """Folders of this machine that the organiser lets bots name and see, read-only."""


@dataclass(frozen=True, slots=True)
class Program:
    """What to run: a folder mounted read-only (or writable for a build), argv, environment.

    `argv[0]` is looked up on the provider's PATH unless it has a slash (then it is in the folder).
    `core` pins the whole tree to one core; None leaves it free. `writable` is for builds: the
    folder can be written. When the harness runs as root every start gets an unprivileged uid of its
    own, so the folder must be readable by everyone, and writable by everyone for a build.
    `loopback` asks for TCP on a private loopback interface (adapters only; a provider that cannot
    give one refuses the launch). `needs` names other programs that it starts: they are looked up
    like `argv[0]`, made visible and put on its PATH. `shows` are files and folders that it sees,
    read-only, at their own places. `image` is for containers alone: what the program runs in.
    """

    folder: Path
    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    core: int | None = None
    writable: bool = False
    loopback: bool = False
    needs: tuple[str, ...] = ()
    shows: tuple[Path, ...] = ()
    image: str = ""


class Sandbox(Protocol):
    """A provider."""

    @property
    def name(self) -> str: ...

    def unavailable(self) -> Unavailable | None:
        """None if it can be used on this machine; else why not and the remedy."""
        ...

    def report(self) -> CapabilityReport:
        """What it enforces here, confirmed by trying (and remembered per boot and version)."""
        ...

    def launch(self, program: Program, limits: Limits) -> Launch:
        """How to start the program shut in. Raises SandboxError, e.g. a missing interpreter."""
        ...
