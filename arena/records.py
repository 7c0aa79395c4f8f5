"""Frozen facts: who played, what went wrong, how a match ended.

A `MatchRecord` is what is stored, exported and rated. Its JSON form is part of the contract
(`arena_protocol.record` is the schema); everything here is plain data that can be pickled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2b
from typing import Any

import orjson

Points = int | float
"""A score as written outside: whole points are integers, others have one decimal."""


def points_from_tenths(tenths: int) -> Points:
    """A score inside is an integer number of tenths; outside, whole points are integers."""
    return tenths // 10 if tenths % 10 == 0 else tenths / 10


def tenths_from_points(points: Points) -> int:
    """The exact inverse of `points_from_tenths`."""
    return round(points * 10)


@dataclass(frozen=True, slots=True)
class BotId:
    """A bot is its name, its version and the SHA-256 of its files (hex)."""

    name: str
    version: str
    digest: str


class FaultKind(StrEnum):
    """What a bot can do wrong; the words of the wire and of the record."""

    START_TIMEOUT = "start-timeout"
    TIMEOUT = "timeout"
    MALFORMED = "malformed"
    ILLEGAL_ACTION = "illegal-action"
    EXITED = "exited"
    MEMORY = "memory"
    OUTPUT_LIMIT = "output-limit"
    IDLE_CPU = "idle-cpu"


@dataclass(frozen=True, slots=True)
class Fault:
    """One misdeed of one bot, with its evidence.

    `deal` and `trick` count from 1 and are None before the first deal, or outside a trick (calls).
    `arrived` is what the bot sent, clipped and escaped. `used_ms` is measured against `limit_ms`.
    `status` is an exit status or signal in words. `stderr` is the tail of the bot's log.
    `retired` says whether this fault ended the bot's part in the match (see `strikes`).
    """

    seat: int
    kind: FaultKind
    detail: str
    deal: int | None = None
    trick: int | None = None
    arrived: str = ""
    used_ms: float | None = None
    limit_ms: int | None = None
    status: str = ""
    stderr: str = ""
    retired: bool = True
    host_stalled: bool = False

    def as_dict(self) -> dict[str, Any]:
        """The JSON form: the contract's five keys always, evidence where there is some."""
        return {
            "seat": self.seat,
            "kind": self.kind.value,
            "deal": self.deal,
            "trick": self.trick,
            "detail": self.detail,
            **{k: v for k in _EVIDENCE if (v := getattr(self, k)) not in ("", None)},
            **({} if self.retired else {"retired": False}),
            **({"host_stalled": True} if self.host_stalled else {}),
        }


_EVIDENCE = ("arrived", "used_ms", "limit_ms", "status", "stderr")


@dataclass(frozen=True, slots=True)
class SeatTiming:
    """How long one seat thought: decisions asked for, their sum and the slowest, in ms.

    `idle_cpu_ms` is what its processes used while others were asked, since it was last looked at
    (in this match, or in earlier ones too if they were short); None if it was not looked at.
    """

    decisions: int
    total_ms: float
    slowest_ms: float
    idle_cpu_ms: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        idle = {} if self.idle_cpu_ms is None else {"idle_cpu_ms": self.idle_cpu_ms}
        return {
            "decisions": self.decisions,
            "total_ms": self.total_ms,
            "slowest_ms": self.slowest_ms,
            **idle,
        }


@dataclass(frozen=True, slots=True)
class Note:
    """A remark that a bot sent with an action (at most 1,000 characters)."""

    seat: int
    deal: int
    trick: int | None
    text: str


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A finished match: enough for another program to replay it. Lists of four are by seat.

    `deals` is the game's own account, JSON-ready; so are `variant` and the points in `scores`.
    `extra` holds additions of ours (sandbox report digest, adapters' remarks …), JSON-ready.
    """

    match: str
    set: str
    game: str
    variant: Mapping[str, Any]
    seed: str
    started: str
    seats: tuple[BotId, ...]
    deals: tuple[Mapping[str, Any], ...]
    scores: tuple[Points, ...]
    ranks: tuple[int, ...]
    faults: tuple[Fault, ...] = ()
    timing: tuple[SeatTiming, ...] = ()
    notes: tuple[Note, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The contract's record, in the contract's order of keys."""
        return {
            "record": 1,
            "match": self.match,
            "set": self.set,
            "game": self.game,
            "variant": dict(self.variant),
            "seed": self.seed,
            "started": self.started,
            "seats": [
                {"bot": s.name, "version": s.version, "digest": s.digest} for s in self.seats
            ],
            "deals": [dict(d) for d in self.deals],
            "scores": list(self.scores),
            "ranks": list(self.ranks),
            "faults": [f.as_dict() for f in self.faults],
            "timing": [t.as_dict() for t in self.timing],
            "notes": [
                {"seat": n.seat, "deal": n.deal, "trick": n.trick, "text": n.text}
                for n in self.notes
            ],
            **self.extra,
        }


_FOR_REPLAYS = frozenset({"variant", "seed", "notes", "actions"})


def brief_of(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record in its JSON form without what only a replay needs: of each deal, all that is
    neither an object nor a list of lists or objects."""
    deals = [{k: v for k, v in deal.items() if _is_flat(v)} for deal in record["deals"]]
    brief = {k: v for k, v in record.items() if k not in _FOR_REPLAYS} | {"deals": deals}
    play = play_of(record)
    return brief | {"play": play} if play else brief


def _is_flat(value: object) -> bool:
    if isinstance(value, list | tuple):
        return not value or not isinstance(value[0], list | tuple | Mapping)
    return not isinstance(value, Mapping)


def play_of(record: Mapping[str, Any]) -> str:
    """A digest of all that was played, of a game without chance; empty for other games.

    There, bots that play alike again have shown nothing new.
    """
    if record.get("chance") is not False:
        return ""
    if isinstance(told := record.get("play"), str):
        return told
    played = orjson.dumps([record.get("deals"), record.get("actions")])
    return blake2b(played, digest_size=16).hexdigest()


def ranks_of(scores: tuple[int, ...], retired: tuple[bool, ...]) -> tuple[int, ...]:
    """Standard competition ranks by seat (1, 2, 2, 4): unretired first, then by score.

    `scores` in tenths, by seat. A retired bot ranks below every bot that is not.
    """
    keys = [(not out, score) for score, out in zip(scores, retired, strict=True)]
    return tuple(1 + sum(other > key for other in keys) for key in keys)
