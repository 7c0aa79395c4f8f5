"""What a run's header promises, read with care: the folder may come from anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from arena.schedule.api import Schedule
from arena.schedule.gauntlet import Gauntlet
from arena.tournament.paired import PairedSchedule
from arena.tournament.plan import Segment
from arena.tournament.seeds import is_seed


class UnfitHeaderError(Exception):
    """The header does not say what every run's does."""


@dataclass(frozen=True, slots=True)
class Header:
    """What the header of a run says, read with the types that it must have."""

    bots: tuple[dict[str, Any], ...]
    segments: tuple[Segment, ...]
    seed: str
    game: str
    variant: object
    rules: object
    limits: Mapping[str, Any]
    trial: int
    finished: bool | None


def read_header(told: Mapping[str, Any]) -> Header:
    """The header of a run folder. Raises UnfitHeaderError."""
    try:
        bots = tuple(
            {key: bot[key] for key in ("bot", "version", "digest")} for bot in told["bots"]
        )
        segments = tuple(
            Segment(_whole(each["bots"]), _whole(each["orbits"])) for each in told["segments"]
        )
        seed, trial = told["seed"], _whole(told.get("withdraw_after", 0))
        limits = told["limits"]
    except (KeyError, TypeError, AttributeError) as error:
        raise UnfitHeaderError(f"it lacks sound bots, segments, seed or limits ({error})") from None
    if not (isinstance(seed, str) and is_seed(seed) and isinstance(limits, dict) and segments):
        raise UnfitHeaderError("it lacks a sound seed, limits or segments")
    if segments[-1].bots != len(bots) or any(each.bots > len(bots) for each in segments):
        raise UnfitHeaderError("its segments seat another number of bots than it names")
    finished = told.get("finished")
    return Header(
        bots=bots,
        segments=segments,
        seed=seed,
        game=str(told.get("game")),
        variant=told.get("variant"),
        rules=told.get("rules"),
        limits=limits,
        trial=trial,
        finished=finished if isinstance(finished, bool) else None,
    )


def _whole(value: object) -> int:
    if type(value) is not int or not 0 <= value <= 10**9:
        raise TypeError(f"{value!r} is no sound number")
    return value


def schedule_of(told: Mapping[str, Any], header: Header, known: Mapping[str, Schedule]) -> Schedule:
    """The schedule by the name that folder.py wrote."""
    text = str(told.get("schedule"))
    if text == PairedSchedule().name:
        return PairedSchedule((len(header.bots) - 2) // 2)
    name, _, rest = text.partition(" of ")
    schedule = known.get(name)
    if schedule is None:
        raise UnfitHeaderError(f"there is no schedule {text[:40]!r} here to compare it with")
    if not rest:
        return schedule
    challengers = rest.partition(" ")[0]
    if not (isinstance(schedule, Gauntlet) and challengers.isdecimal() and len(challengers) < 6):
        raise UnfitHeaderError(f"there is no schedule {text[:40]!r}")
    return replace(schedule, challengers=int(challengers))
