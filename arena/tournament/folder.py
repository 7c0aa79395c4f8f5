"""A run folder as the tournament's: begun, gone on with, or extended, but never mixed up.

The folder's header remembers everything that could change a result. Started again with the same
settings a run goes on; with others it is refused, naming what differs. Two changes are sound on
request, because the matches already played stay matches of the tournament: more orbits, and more
bots behind the old ones, who from then on play in a *segment* of their own (see plan.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import orjson

from arena import __version__
from arena.errors import StoreError
from arena.referee.api import IDLE_CPU_MS
from arena.schedule.api import Schedule
from arena.schedule.gauntlet import Gauntlet
from arena.store import RunStore, refuse_foreign
from arena.tournament.audit_header import UnfitHeaderError, read_header
from arena.tournament.plan import Segment
from arena.tournament.prepare import Tournament
from arena.tournament.toolchains import refuse_showing
from arena.words import counted

TRANSCRIPTS = "transcripts"
"""The folder of a run's transcripts, in the run folder."""


def damaged_header(folder: Path, what: str) -> StoreError:
    """What is told of a run that cannot go on because its header is not a run's."""
    return StoreError(
        f"the run's header is damaged: {what}",
        where=str(folder),
        mend="restore the folder from a copy, or choose another --out",
    )


@contextmanager
def open_run(
    tournament: Tournament, folder: Path, *, extend: bool | None = None
) -> Iterator[tuple[RunStore, Tournament]]:
    """The run folder, new or begun before, and the tournament with the segments that it has.

    With `extend`, more orbits or more bots than it was begun with are added to it; None where
    nobody could ask for that. Raises StoreError if it was begun with other settings.
    """
    refuse_showing(tournament.plan.limits.toolchains, folder, "the run folder")
    if tournament.transcripts:
        refuse_foreign(folder, [TRANSCRIPTS])
        kept = str((folder / TRANSCRIPTS).absolute())
        tournament = replace(tournament, plan=replace(tournament.plan, transcripts=kept))
    if not RunStore.is_run(folder):
        with RunStore.create(folder, header_of(tournament) | {"finished": False}) as store:
            yield store, tournament
        return
    with RunStore.open(folder) as store:
        begun = store.header()
        try:
            segments = read_header(begun).segments
        except UnfitHeaderError as error:
            raise damaged_header(folder, str(error)) from None
        if extend:
            segments = _extended(segments, begun, tournament, folder)
        elif len(tournament.plan.bots) == segments[-1].bots:
            segments = (*segments[:-1], tournament.segments[-1])
        whole = replace(tournament, segments=segments)
        now = header_of(whole)
        _refuse_other(begun, now, folder, extend)
        if extend:
            store.set_header({key: now[key] for key in _EXTENSIBLE} | {"finished": False})
        yield store, whole


def _extended(
    segments: tuple[Segment, ...], begun: Mapping[str, Any], now: Tournament, folder: Path
) -> tuple[Segment, ...]:
    """The segments of the run with what the tournament has more."""
    last, wanted = segments[-1], now.segments[-1]
    known = _digests(begun["bots"])
    if list(known.items()) != list(_digests(header_of(now)["bots"]).items())[: len(known)]:
        raise StoreError(
            "a run is extended by bots behind the old ones, which stay as they are",
            where=str(folder),
            mend="keep the old bots in their order, or choose another --out",
        )
    if wanted.bots > last.bots:
        return (*segments, wanted)
    if wanted.orbits < last.orbits:
        raise StoreError(
            f"this run has {counted(last.orbits, 'orbit')}, which is more than {wanted.orbits}",
            where=str(folder),
            mend=f"ask for more than {last.orbits}",
        )
    return (*segments[:-1], wanted)


def header_of(tournament: Tournament) -> dict[str, Any]:
    """What the run folder remembers of the tournament: JSON-ready, enough to see any change."""
    plan = tournament.plan
    limits, idle_ms = plan.rules.limits, plan.rules.idle_cpu_ms
    # Runs that were begun before there was such a limit go on.
    idle = {} if idle_ms == IDLE_CPU_MS else {"idle_cpu_ms": idle_ms}
    return {
        "name": tournament.name,
        "arena": __version__,
        "game": plan.game,
        "rules": tournament.game.version,
        "variant": dict(plan.variant),
        "bots": [
            {"bot": bot.id.name, "version": bot.id.version, "digest": bot.id.digest}
            | ({"language": bot.language} if bot.language else {})
            for bot in plan.bots
        ],
        "schedule": _schedule(tournament.schedule),
        "segments": [asdict(segment) for segment in tournament.segments],
        "seed": tournament.seed,
        "commitment": tournament.commitment,
        "limits": {
            "start_ms": limits.start_ms,
            "move_ms": limits.move_ms,
            "match_ms": limits.match_ms,
            "grace_ms": limits.grace_ms,
            "strikes": plan.rules.strikes,
            "late_ms": plan.rules.late_ms,
            "on_host_stall": plan.rules.on_host_stall,
            "pause_idle": plan.rules.pause_idle,
            **idle,
            "memory_mb": plan.limits.memory_mb,
            "processes": plan.limits.processes,
            "scratch_mb": plan.limits.scratch_mb,
        },
        "restart": "match" if plan.fresh_processes else "auto",
        "hide_names": plan.hide_names,
        "withdraw_after": tournament.withdraw_after,
        "toolchains": [str(folder) for folder in plan.limits.toolchains],
        "sandbox": tournament.report.as_dict(),
        "left_out": [{"bot": out.bot, "reason": out.reason} for out in tournament.left_out],
    }


def _schedule(schedule: Schedule) -> str:
    if isinstance(schedule, Gauntlet) and schedule.challengers > 1:
        return f"{schedule.name} of {schedule.challengers} challengers"
    return schedule.name


_NO_MATTER = frozenset({"arena", "name", "left_out", "sandbox"})
"""What of the header may differ when a run goes on."""

_EXTENSIBLE = frozenset({"bots", "segments"})

_BEFORE: Mapping[str, Any] = MappingProxyType({"toolchains": []})
"""What held for runs whose header does not say it yet."""


def _refuse_other(
    begun: Mapping[str, Any], now: Mapping[str, Any], folder: Path, extend: bool | None
) -> None:
    ignored = _NO_MATTER | (_EXTENSIBLE if extend else frozenset())
    begun = {**_BEFORE, **_with_todays_default(begun, now)}
    differs = [key for key in now if key not in ignored and begun.get(key) != now[key]]
    if differs:
        could = extend is False and _EXTENSIBLE.issuperset(differs) and _is_more(begun, now)
        raise StoreError(
            f"this run was begun with other settings: {_difference(differs[0], begun, now)}",
            where=str(folder),
            mend="add them with --extend, or choose another --out"
            if could
            else "restore them, choose another --out, or delete the folder to begin anew",
        )


def _with_todays_default(begun: Mapping[str, Any], now: Mapping[str, Any]) -> Mapping[str, Any]:
    """Runs that were begun when a stall was charged by default go on."""
    stall = {"on_host_stall": "auto"}
    if begun["limits"] | stall != now["limits"] or begun["limits"]["on_host_stall"] != "charge":
        return begun
    return {**begun, "limits": begun["limits"] | stall}


def _is_more(begun: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """True if only bots behind the old ones, or orbits, are new."""
    old, new = _digests(begun["bots"]), _digests(now["bots"])
    if list(old.items()) != list(new.items())[: len(old)]:
        return False
    return len(new) > len(old) or now["segments"][-1]["orbits"] > begun["segments"][-1]["orbits"]


def _difference(key: str, begun: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    before: Any = begun.get(key)
    after: Any = now[key]
    if key == "bots":
        return _other_bots(_digests(before), _digests(after))
    if key == "segments":
        return f"orbits were {before[-1]['orbits']}, are now {after[-1]['orbits']}"
    if isinstance(before, dict) and isinstance(after, dict):
        inner = next(name for name in {**before, **after} if before.get(name) != after.get(name))
        return _difference_of(f"{key}.{inner}", before.get(inner), after.get(inner))
    return _difference_of(key, before, after)


def _difference_of(key: str, before: object, after: object) -> str:
    return f"{key} was {_clip(before)}, is now {_clip(after)}"


def _other_bots(old: Mapping[str, str], new: Mapping[str, str]) -> str:
    for name in {**old, **new}:
        if name not in new:
            return f"bot {name} is missing"
        if name not in old:
            return f"bot {name} is new"
        if old[name] != new[name]:
            return f"the files of bot {name} have changed"
    return "the bots are in another order"


def _digests(bots: Sequence[Mapping[str, str]]) -> dict[str, str]:
    return {bot["bot"]: bot["digest"] for bot in bots}


def _clip(value: object) -> str:
    text = orjson.dumps(value).decode()
    return text if len(text) <= 60 else text[:57] + "…"
