"""What is inspected, and under which conditions: those of the run that the bot is meant for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arena.bots.bot import Bot
from arena.games.api import Game
from arena.process import Process, spawn
from arena.referee.api import TimeLimits
from arena.sandbox.api import Limits, Sandbox


@dataclass(frozen=True, slots=True)
class Subject:
    """A bot that is ready to play (`build_bot`), and all that a run would start it with."""

    bot: Bot
    sandbox: Sandbox
    game: Game
    variant: Mapping[str, Any]
    times: TimeLimits
    limits: Limits

    def start(self) -> Process:
        """A process of the bot, started as a run starts it."""
        return spawn(self.sandbox.launch(self.bot.program(), self.limits))
