"""What is inspected, and under which conditions: those of the run that the bot is meant for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pluggy

from arena.bots.bot import Bot
from arena.games.api import Game
from arena.process import Process, spawn
from arena.referee.api import TimeLimits
from arena.sandbox.api import Limits, Sandbox
from arena.tournament.config import check_tournament, override
from arena.tournament.prepare import prepare


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the inspector waits, in ms, beyond what a run would.

    `late_ms` for an answer that is late, and for what comes once the input has ended; `beside_ms`
    for the right answer beside a wrong line; `idle_ms` for output after a match; `leave_ms` (at
    least the grace) for the end after quit: a run kills earlier, and no harm is done.
    """

    late_ms: float = 3_000.0
    beside_ms: float = 250.0
    idle_ms: float = 100.0
    leave_ms: float = 2_000.0


@dataclass(frozen=True, slots=True)
class Subject:
    """A bot that is ready to play (`build_bot`), and all that a run would start it with."""

    bot: Bot
    sandbox: Sandbox
    game: Game
    variant: Mapping[str, Any]
    times: TimeLimits
    limits: Limits
    patience: Patience = Patience()

    def start(self, core: int) -> Process:
        """A process of the bot, started as a run starts it: pinned to a core."""
        return spawn(self.sandbox.launch(self.bot.program(core), self.bot.limits(self.limits)))


def prepare_subject(
    bot: str, settings: Mapping[str, Any], manager: pluggy.PluginManager, *, cache: Path
) -> Subject:
    """The bot that `bot` names, built and ready, under settings of a tournament file.

    `settings` are keyed as in `tournament.config.override`. Raises ArenaError.
    """
    file = check_tournament(override({"bots": [bot]}, settings), where="command line")
    tournament = prepare(file, manager, cache=cache)
    plan = tournament.plan
    return Subject(
        bot=plan.bots[0],
        sandbox=tournament.sandbox,
        game=tournament.game,
        variant=plan.variant,
        times=plan.rules.limits,
        limits=plan.limits,
    )
