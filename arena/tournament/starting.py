"""Bots are started and greeted side by side, and one that cannot be started is found out.

Theory of operation. What ends before the bot's first byte could run has failed in our hands, though
not always through us: the bot may name a program that is none, or an image in which nothing runs.
Words of an error cannot tell the two apart, so the sandbox is tried: it has to start a program of
ours under the same limits, then the bot gets its second chance, then ours must start once more. If
ours starts both times and the bot does neither time, the bot is charged as one that has ended, and
the others play on. Otherwise this machine is at fault (no processes, no memory, no sandbox at all),
and nobody is charged.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial

from arena.bots.bot import Bot
from arena.errors import SandboxError
from arena.process import Launch, Process, spawn_all
from arena.records import FaultKind
from arena.referee.api import Clock
from arena.referee.evidence import shown
from arena.referee.hosting import greet
from arena.referee.local import absent_seat
from arena.referee.seat import Seat
from arena.referee.session import Breach
from arena.sandbox.api import Sandbox
from arena.sandbox.starting import starts_others
from arena.tournament.plan import RunPlan

SHOWN_CHARS = 400


@dataclass(frozen=True, slots=True)
class Starter:
    """Starts bots in a sandbox, pinned to `core`, as a plan wants it."""

    plan: RunPlan
    sandbox: Sandbox
    clock: Clock
    core: int

    def seats(self, bots: Sequence[Bot]) -> list[Seat]:
        """Every bot is greeted, or has a breach; their processes are the caller's to end.

        Raises SandboxError if this machine starts nothing; then none of them is left.
        """
        with ExitStack() as undo:
            seats = self._greeted(bots, undo)
            for place, bot in enumerate(bots):
                if (failure := seats[place].failure) is not None:
                    seats[place] = self._once_more(bot, failure, undo)
            undo.pop_all()
        return seats

    def _greeted(self, bots: Sequence[Bot], undo: ExitStack) -> list[Seat]:
        """Every bot is greeted, or has a breach or a failure."""
        started = spawn_all(partial(self._launch, bot) for bot in bots)
        links = [undo.enter_context(it) for it in started if isinstance(it, Process)]
        pairs = list(zip(bots, started, strict=True))
        names = [bot.name for bot, it in pairs if isinstance(it, Process)]
        plan = self.plan
        greeted = iter(greet(links, names, plan.game, plan.variant, plan.rules.limits, self.clock))
        return [
            absent_seat(bot.name, it) if isinstance(it, SandboxError) else next(greeted)
            for bot, it in pairs
        ]

    def _once_more(self, bot: Bot, failure: SandboxError, undo: ExitStack) -> Seat:
        """The bot, started after all, or charged with it if it alone cannot be started."""
        self._check_others(failure)
        (seat,) = self._greeted([bot], undo)
        if seat.failure is not None:
            self._check_others(seat.failure)
            told = str(seat.failure).replace(f"{bot.folder}/", "")
            detail = f"the bot cannot be started: {shown(told.encode(), SHOWN_CHARS)}"
            seat.breach = Breach(FaultKind.EXITED, detail, fatal=True)
        return seat

    def _check_others(self, failure: SandboxError) -> None:
        """Raises SandboxError if the sandbox starts no other program either."""
        if not starts_others(self.sandbox, replace(self.plan.limits, scratch_mb=0), self.core):
            what = f"{failure.what}; no other program can be started now either"
            raise SandboxError(what, where=failure.where, mend=failure.mend) from failure

    def _launch(self, bot: Bot) -> Launch:
        return self.sandbox.launch(bot.program(self.core), bot.limits(self.plan.limits))
