"""From a checked tournament file to a tournament that can be played.

Names are looked up in the plugins, bots resolved and built, the sandbox chosen. Nothing is played
and no run folder touched here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pluggy

from arena import plugins
from arena.bots.bot import Bot
from arena.bots.build import Workshop, build_bot
from arena.bots.bundled import bundled_bots
from arena.bots.compile import BuildLimits
from arena.bots.resolve import resolve
from arena.bots.toolchain import IN_IMAGES, Host, missing_toolchain
from arena.errors import ConfigError, SandboxError
from arena.games.api import Game, has_chance, seats_of
from arena.lookup import pick
from arena.referee.api import RefereeRules, TimeLimits
from arena.sandbox.api import CapabilityReport, Level, Limits, Sandbox
from arena.sandbox.choice import RANKED, UNSANDBOXED, choose, remedy_before, shortfall
from arena.schedule.api import Schedule
from arena.schedule.gauntlet import Gauntlet
from arena.tournament.bench import affordable_processes
from arena.tournament.clock import SteadyClock
from arena.tournament.config import MATCH_MS_A_DEAL, TournamentFile
from arena.tournament.descriptors import allow_descriptors
from arena.tournament.executors import Executor, LocalPool
from arena.tournament.plan import MatchSpec, RunPlan, Segment, count_matches, match_specs
from arena.tournament.seeds import commitment, random_seed
from arena.tournament.toolchains import read_toolchains, refuse_showing, refuse_showing_bots


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A bot that does not take part, and why."""

    bot: str
    reason: str


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament that can be played.

    A bot that faults in each match of the first `withdraw_after` orbits is withdrawn (0: never).
    """

    name: str
    plan: RunPlan
    game: Game
    sandbox: Sandbox
    report: CapabilityReport
    schedule: Schedule
    executor: Executor
    segments: tuple[Segment, ...]
    seed: str
    workers: int
    withdraw_after: int = 0
    publish_seed: bool = False
    transcripts: bool = False
    left_out: tuple[LeftOut, ...] = ()

    @property
    def commitment(self) -> str:
        """What can be published beforehand: SHA-256 of the seed."""
        return commitment(self.seed)

    @property
    def total(self) -> int:
        """How many matches it has."""
        return count_matches(self.schedule, self.segments, self.seats)

    @property
    def seats(self) -> int:
        """How many sit at a table."""
        return seats_of(self.game, self.plan.variant)

    @property
    def specs(self) -> Iterator[MatchSpec]:
        """The matches in their order."""
        return match_specs(self.schedule, self.segments, self.seed, self.seats)


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
    allow_descriptors()
    game = pick(plugins.games(manager), file.game.name, "game")
    variant = _variant(file, game)
    required = _required(file, ranked=not twins)
    sandboxes = list(plugins.sandboxes(manager).values())
    sandbox = choose(sandboxes, file.sandbox.name, required)
    executor = _executor(file, manager)
    report = report_of_run(sandbox, executor, required)
    toolchains = read_toolchains(file.sandbox.toolchains, relative_to)
    refuse_showing(toolchains, cache, "the cache")
    images = sandbox.name == IN_IMAGES
    bots, left_out = _bots(file, relative_to, leave_out, Host(toolchains, images=images))
    refuse_showing_bots(toolchains, bots)
    if not twins:
        _refuse_twins(bots)
    workshop = Workshop(
        sandbox,
        cache / "bots",
        SteadyClock(),
        BuildLimits(toolchains=toolchains),
        adapters=plugins.adapters(manager),
    )
    if _built_here(file):
        bots, unbuilt = _built(bots, workshop, leave_out, remedy_before(sandboxes, sandbox))
        left_out += unbuilt
    limits = Limits(
        memory_mb=file.limits.memory_mb,
        processes=file.limits.processes,
        scratch_mb=file.limits.scratch_mb,
        toolchains=toolchains,
    )
    plan = RunPlan(
        bots=tuple(bots),
        game=game.name,
        variant=variant,
        rules=_rules(file, deals=game.deals_of(variant)),
        sandbox=sandbox.name,
        limits=limits,
        fresh_processes=file.run.restart == "match",
        hide_names=file.run.hide_names,
        most_processes=affordable_processes(
            file.run.workers or len(os.sched_getaffinity(0)), file.run.most_processes
        ),
        required=required,
        scheduler=file.run.scheduler,
        worker_wait_s=file.run.worker_wait_s,
    )
    return Tournament(
        name=file.name,
        plan=plan,
        game=game,
        sandbox=sandbox,
        report=report,
        schedule=_schedule(file, manager),
        executor=executor,
        segments=(Segment(len(bots), file.schedule.orbits),),
        seed=file.seed_text() or seed or random_seed(),
        workers=file.run.workers or len(os.sched_getaffinity(0)),
        withdraw_after=file.run.withdraw_after,
        publish_seed=file.run.publish_seed and has_chance(game),
        transcripts=file.run.transcripts,
        left_out=left_out,
    )


def report_of_run(
    sandbox: Sandbox, executor: Executor, required: Mapping[str, Level]
) -> CapabilityReport:
    """What the sandbox does in this very run: it pins nobody whom the executor gives no core.

    Raises SandboxError if that is less than `required`.
    """
    report = sandbox.report()
    if not getattr(executor, "pins_tables", False):
        why = f"the executor `{executor.name}` pins no table to a core"
        report = report.without("cores", why)
    if (lack := shortfall(report, required)) is not None:
        raise SandboxError(lack, where=f"sandbox {sandbox.name}", mend="use --executor local")
    return report


def _required(file: TournamentFile, *, ranked: bool) -> dict[str, Level]:
    """What the sandbox has to do: the least for a ranked run, changed as the file says."""
    least = RANKED if ranked and file.sandbox.name != UNSANDBOXED else {}
    own = {name: Level(level) for name, level in file.sandbox.require.items()}
    return {**least, **own}


def _variant(file: TournamentFile, game: Game) -> dict[str, Any]:
    name = next(iter(game.variants())) if file.game.variant is None else file.game.variant
    changed = dict(file.game.parameters)
    if file.game.deals is not None:
        changed["deals"] = file.game.deals
    return game.variant(name, changed)


def _executor(file: TournamentFile, manager: pluggy.PluginManager) -> Executor:
    executor: Executor = pick(plugins.executors(manager), file.run.executor, "executor")
    if executor.name == LocalPool.name and (file.run.scheduler or not _built_here(file)):
        raise ConfigError(
            "`scheduler` and `ship` are for a cluster, and the executor is `local`",
            mend="add --executor dask",
        )
    if executor.name != LocalPool.name and file.run.transcripts:
        raise ConfigError(
            f"transcripts are written where matches are played, and `{executor.name}` may do that "
            "elsewhere",
            mend="play with the executor `local`, or without --transcripts",
        )
    return executor


def _built_here(file: TournamentFile) -> bool:
    return file.run.ship == "built"


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
        late_ms=limits.late_ms,
        on_host_stall=limits.on_host_stall,
        pause_idle=limits.pause_idle,
        idle_cpu_ms=limits.idle_cpu_ms,
    )


def _schedule(file: TournamentFile, manager: pluggy.PluginManager) -> Schedule:
    schedule = pick(plugins.schedules(manager), file.schedule.format, "schedule")
    if file.schedule.challengers == 1:
        return schedule
    if not isinstance(schedule, Gauntlet):
        raise ConfigError(
            f"`challengers` is for a gauntlet, and the format is `{schedule.name}`",
            where="schedule.challengers",
            mend='leave it out, or set format = "gauntlet"',
        )
    return replace(schedule, challengers=file.schedule.challengers)


def _bots(
    file: TournamentFile, relative_to: Path, leave_out: bool, host: Host
) -> tuple[list[Bot], tuple[LeftOut, ...]]:
    found = [resolve(text, bundled_bots(), relative_to=relative_to) for text in file.bots]
    # Bots that are built where they play need their toolchains there, not here.
    lacking = {b.id.name: _lack(b, file, host) for b in found}
    left_out = tuple(LeftOut(name, why) for name, why in lacking.items() if why)
    if left_out and not leave_out:
        first = left_out[0]
        raise ConfigError(first.reason, where=f"bot {first.bot}")
    return [bot for bot in found if not lacking[bot.id.name]], left_out


def _lack(bot: Bot, file: TournamentFile, host: Host) -> str | None:
    return missing_toolchain(bot, host) if _built_here(file) else None


def _built(
    bots: list[Bot], workshop: Workshop, leave_out: bool, remedy: str
) -> tuple[list[Bot], tuple[LeftOut, ...]]:
    """The bots, ready to play; without those for which the sandbox cannot give what they need.

    Raises SandboxError for the first of those where none may be left out.
    """
    ready, left_out = [], []
    for bot in bots:
        try:
            ready.append(build_bot(bot, workshop))
        except SandboxError as error:
            mend = remedy or error.mend
            if not leave_out:
                raise SandboxError(error.what, where=f"bot {bot.name}", mend=mend) from error
            left_out.append(LeftOut(bot.id.name, f"{error.what} ({mend})"))
    return ready, tuple(left_out)


def _refuse_twins(bots: list[Bot]) -> None:
    names = [bot.id.name for bot in bots]
    twin = next((name for name in names if names.count(name) > 1), None)
    if twin:
        raise ConfigError(
            f"two bots are named {twin!r}", mend=f"rename one of them, e.g. {twin}-2=…"
        )
