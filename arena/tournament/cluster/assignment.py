"""What travels between the coordinator and a player, beside bots and matches: plain data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from arena.bots.bundle import Architecture
from arena.tournament.plan import MatchSpec, Outcome, RunPlan


@dataclass(frozen=True, slots=True)
class Parcel:
    """What a bot travels as: the key of its bundle; `native` if there is machine code in it."""

    key: str
    native: Architecture | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a packed bundle and where in it it stands."""

    offset: int
    content: bytes
    last: bool


@dataclass(frozen=True, slots=True)
class Assignment:
    """What a worker needs to know of a run, once. `parcels` by the plan's bots.

    `slots` is how many matches the worker plays at a time. The bots of the plan lie nowhere yet.
    """

    plan: RunPlan
    parcels: tuple[Parcel, ...]
    rules: str
    slots: int = 1


@dataclass(frozen=True, slots=True)
class Proof:
    """What a worker showed: why it cannot play, one line each, and the bundles that it has."""

    lacks: tuple[str, ...]
    holds: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Prove:
    """Asks a player whether its machine can play the assignment; it answers with lines."""


@dataclass(frozen=True, slots=True)
class PlayAll:
    """Asks a player for matches, one after another; it answers with their outcomes."""

    specs: tuple[MatchSpec, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """Outcomes of a worker, and how long they took there."""

    outcomes: tuple[Outcome, ...]
    took_s: float


@dataclass(frozen=True, slots=True)
class Places:
    """Where a worker keeps things: bundles as they came, and copies built here."""

    cache: Path

    def bundle(self, key: str) -> Path:
        """The folder of an unpacked bundle."""
        return self.cache / "bundles" / key

    @property
    def built(self) -> Path:
        """The cache of the workshop."""
        return self.cache / "bots"
