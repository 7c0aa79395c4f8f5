"""A tournament from its file to a full run folder, going on where it stopped.

Theory of operation. `prepare` turns a checked tournament file into a `Tournament`: bots resolved
and built, sandbox chosen, schedule and variant known. `open_run` makes the run folder or opens it
again, refusing if it was begun with other settings. `run` streams the missing matches through the
executor into the store, one transaction each (in WAL mode that costs a tenth of a millisecond, and
a killed run loses only what was in flight). A void match is tried again a few times; if nothing can
be played at all, the harness is broken and the run says so instead of going on for hours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import orjson
import pluggy

from arena import __version__, plugins
from arena.bots.bot import Bot
from arena.bots.build import Workshop, build_bot
from arena.bots.bundled import bundled_bots
from arena.bots.resolve import resolve
from arena.bots.toolchain import missing_toolchain
from arena.errors import ConfigError, SandboxError, StoreError
from arena.games.api import Game
from arena.referee.api import RefereeRules, TimeLimits
from arena.sandbox.api import CapabilityReport, Level, Limits, Sandbox
from arena.sandbox.choice import choose
from arena.schedule.api import Schedule
from arena.store import Played, RunStore
from arena.tournament.clock import SteadyClock
from arena.tournament.config import MATCH_MS_A_DEAL, TournamentFile
from arena.tournament.executors import Executor
from arena.tournament.plan import MatchSpec, Outcome, RunPlan, match_specs
from arena.tournament.seeds import commitment, random_seed

ATTEMPTS = 3
"""How often a match is tried before the harness counts as broken."""

HOPELESS = 8
"""So many void matches and none played: the harness is broken, there is no point in going on."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A bot that does not take part, and why."""

    bot: str
    reason: str


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament that can be played. `total` is the number of its matches."""

    name: str
    plan: RunPlan
    game: Game
    sandbox: Sandbox
    report: CapabilityReport
    schedule: Schedule
    executor: Executor
    orbits: int
    seed: str
    workers: int
    left_out: tuple[LeftOut, ...] = ()

    @property
    def total(self) -> int:
        """How many matches it has."""
        return self.schedule.count(len(self.plan.bots), self.orbits)


class Listener(Protocol):
    """Hears of every outcome, after it is safe in the store."""

    def finished(self, outcome: Outcome) -> None: ...

    def void(self, outcome: Outcome) -> None: ...


@dataclass(slots=True)
class Stop:
    """Set `asked` to have the matches in flight finished and no more begun."""

    asked: bool = False


@dataclass(frozen=True, slots=True)
class Summary:
    """How a run ended: matches in the folder now, of how many; whether it was stopped early."""

    done: int
    total: int

    @property
    def complete(self) -> bool:
        """True if every match has been played."""
        return self.done == self.total


def prepare(
    file: TournamentFile,
    manager: pluggy.PluginManager,
    *,
    seed: str | None = None,
    relative_to: Path = Path(),
    cache: Path,
    leave_out: bool = False,
    twins: bool = False,
) -> Tournament:
    """A playable tournament. `seed` is that of a run folder to go on with, if there is one.

    `twins` allows two bots of the same name, for a single match that nobody rates. With
    `leave_out`, a bot whose toolchain is missing is left out, by name and with the reason;
    otherwise it is an error, as is everything else that is wrong: raises ArenaError.
    """
    game = plugins.pick(plugins.games(manager), file.game.name, "game")
    variant = _variant(file, game)
    required = {name: Level(level) for name, level in file.sandbox.require.items()}
    sandbox = choose(list(plugins.sandboxes(manager).values()), file.sandbox.name, required)
    bots, left_out = _bots(file, relative_to, leave_out)
    if not twins:
        _refuse_twins(bots)
    workshop = Workshop(sandbox, cache / "bots", SteadyClock(), adapters=plugins.adapters(manager))
    limits = Limits(memory_mb=file.limits.memory_mb, processes=file.limits.processes)
    plan = RunPlan(
        bots=tuple(build_bot(bot, workshop) for bot in bots),
        game=game.name,
        variant=variant,
        rules=_rules(file, deals=game.deals_of(variant)),
        sandbox=sandbox.name,
        limits=limits,
        fresh_processes=file.run.restart == "match",
        hide_names=file.run.hide_names,
    )
    return Tournament(
        name=file.name,
        plan=plan,
        game=game,
        sandbox=sandbox,
        report=sandbox.report(),
        schedule=plugins.pick(plugins.schedules(manager), file.schedule.format, "schedule"),
        executor=plugins.pick(plugins.executors(manager), file.run.executor, "executor"),
        orbits=file.schedule.orbits,
        seed=file.seed_text() or seed or random_seed(),
        workers=file.run.workers,
        left_out=left_out,
    )


def _variant(file: TournamentFile, game: Game) -> dict[str, Any]:
    name = file.game.variant or next(iter(game.variants()))
    changed = dict(file.game.parameters)
    if file.game.deals is not None:
        changed["deals"] = file.game.deals
    return game.variant(name, changed)


def _rules(file: TournamentFile, deals: int) -> RefereeRules:
    limits = file.limits
    return RefereeRules(
        limits=TimeLimits(
            start_ms=limits.start_ms,
            move_ms=limits.move_ms,
            match_ms=limits.match_ms or MATCH_MS_A_DEAL * deals,
            grace_ms=limits.grace_ms,
        ),
        strikes=limits.strikes,
    )


def _bots(
    file: TournamentFile, relative_to: Path, leave_out: bool
) -> tuple[list[Bot], tuple[LeftOut, ...]]:
    found = [resolve(text, bundled_bots(), relative_to=relative_to) for text in file.bots]
    lacking = {bot.id.name: missing_toolchain(bot) for bot in found}
    left_out = tuple(LeftOut(name, why) for name, why in lacking.items() if why)
    if left_out and not leave_out:
        first = left_out[0]
        raise ConfigError(first.reason, where=f"bot {first.bot}")
    return [bot for bot in found if not lacking[bot.id.name]], left_out


def _refuse_twins(bots: list[Bot]) -> None:
    names = [bot.id.name for bot in bots]
    twin = next((name for name in names if names.count(name) > 1), None)
    if twin:
        raise ConfigError(
            f"two bots are named {twin!r}", mend=f"rename one of them, e.g. {twin}-2=…"
        )


@contextmanager
def open_run(tournament: Tournament, folder: Path) -> Iterator[RunStore]:
    """The run folder, new or begun before. Raises StoreError if it was begun otherwise."""
    if RunStore.is_run(folder):
        with RunStore.open(folder) as store:
            _refuse_other(store.header(), header_of(tournament), folder)
            yield store
    else:
        with RunStore.create(folder, header_of(tournament)) as store:
            yield store


def header_of(tournament: Tournament) -> dict[str, Any]:
    """What the run folder remembers of the tournament: JSON-ready, enough to see any change."""
    plan = tournament.plan
    limits = plan.rules.limits
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
        "schedule": tournament.schedule.name,
        "orbits": tournament.orbits,
        "seed": tournament.seed,
        "commitment": commitment(tournament.seed),
        "limits": {
            "start_ms": limits.start_ms,
            "move_ms": limits.move_ms,
            "match_ms": limits.match_ms,
            "grace_ms": limits.grace_ms,
            "strikes": plan.rules.strikes,
            "memory_mb": plan.limits.memory_mb,
            "processes": plan.limits.processes,
        },
        "restart": "match" if plan.fresh_processes else "auto",
        "hide_names": plan.hide_names,
        "sandbox": tournament.report.as_dict(),
        "left_out": [{"bot": out.bot, "reason": out.reason} for out in tournament.left_out],
    }


_MAY_CHANGE = {"arena", "name", "left_out", "sandbox"}


def _refuse_other(begun: Mapping[str, Any], now: Mapping[str, Any], folder: Path) -> None:
    differs = [k for k in now if k not in _MAY_CHANGE and begun.get(k) != now[k]]
    if differs:
        raise StoreError(
            f"this run was begun with other settings: {_difference(differs[0], begun, now)}",
            where=str(folder),
            mend="restore them, or choose another --out",
        )


def _difference(key: str, begun: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    before, after = begun.get(key), now[key]
    if key == "bots":
        old = {bot["bot"]: bot["digest"] for bot in before or []}
        new = {bot["bot"]: bot["digest"] for bot in after}
        changed = [n for n in {**old, **new} if old.get(n) != new.get(n)]
        return f"bot {changed[0]}" if changed else "the order of the bots"
    return f"{key} was {_clip(before)}, is now {_clip(after)}"


def _clip(value: object) -> str:
    text = orjson.dumps(value).decode()
    return text if len(text) <= 60 else text[:57] + "…"


def run(
    tournament: Tournament, store: RunStore, *, listener: Listener, stop: Stop | None = None
) -> Summary:
    """Plays what is missing. Raises SandboxError if matches cannot be played at all."""
    stop = stop or Stop()
    for _ in range(ATTEMPTS):
        voids = _pass(tournament, store, listener, stop)
        if not voids or stop.asked:
            break
    else:
        raise SandboxError(
            f"match {voids[-1].spec.match} cannot be played: {voids[-1].void}",
            mend="mend it and start the same command again; what is finished is kept",
        )
    return Summary(store.count(), tournament.total)


def _pass(tournament: Tournament, store: RunStore, listener: Listener, stop: Stop) -> list[Outcome]:
    """Plays every missing match once; returns the last void outcomes."""
    specs = _until(
        stop,
        match_specs(
            tournament.schedule,
            bots=len(tournament.plan.bots),
            orbits=tournament.orbits,
            seed=tournament.seed,
            skip=store.done(),
        ),
    )
    voids: list[Outcome] = []
    played = 0
    with closing(tournament.executor.play(tournament.plan, specs, workers=tournament.workers)) as (
        outcomes
    ):
        for outcome in outcomes:
            if outcome.record is not None:
                played += 1
                store.add([_played(outcome)])
                listener.finished(outcome)
                continue
            store.add_void(outcome.spec.number, outcome.void)
            listener.void(outcome)
            voids = [*voids[-HOPELESS:], outcome]
            if not played and len(voids) > HOPELESS:
                break
    return voids


def _until(stop: Stop, specs: Iterator[MatchSpec]) -> Iterator[MatchSpec]:
    for spec in specs:
        if stop.asked:
            return
        yield spec


def _played(outcome: Outcome) -> Played:
    assert outcome.record is not None
    return Played(outcome.spec.number, outcome.spec.match, orjson.dumps(outcome.record.as_dict()))
