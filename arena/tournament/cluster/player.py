"""A player: the process beside a Dask worker in whose main thread matches are played.

Theory of operation. A sandbox that dies with its parent dies with the *thread* that spawned it, so
no bot is ever started by a thread of the engine's pool. The worker starts this module as a process
and talks to it through one socket. A second thread reads it, and when the other end is gone, be it
by kill -9, kills this process, and with it the bots, in the middle of a match. A player without
orders for IDLE_S ends by itself: a coordinator that was killed leaves no bot behind on any worker.
"""

from __future__ import annotations

import os
import platform
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from typing import Any

from arena import plugins
from arena.bots.adapter import Adapter
from arena.bots.bot import Bot
from arena.bots.build import Workshop, build_bot
from arena.bots.bundle import architecture_here
from arena.bots.compile import BuildLimits
from arena.bots.toolchain import IN_IMAGES, Host, missing_toolchain
from arena.cache import cache_folder
from arena.errors import ArenaError, SandboxError
from arena.games.api import Game
from arena.lookup import pick
from arena.sandbox.api import Sandbox
from arena.sandbox.choice import lacks
from arena.tournament.bench import Bench, affordable_processes
from arena.tournament.clock import SteadyClock
from arena.tournament.cluster.assignment import Assignment, Places, PlayAll, Prove
from arena.tournament.cores import own_core
from arena.tournament.descriptors import allow_descriptors
from arena.tournament.executors import attempt
from arena.tournament.plan import MatchSpec, Outcome, failed

IDLE_S = 15.0


@dataclass(slots=True)
class _Player:
    assignment: Assignment
    game: Game
    sandbox: Sandbox
    bench: Bench
    workshop: Workshop
    places: Places
    settled: set[int] = field(default_factory=set)

    def obey(self, order: object) -> object:
        """The answer to an order."""
        if isinstance(order, Exception):
            raise order
        if isinstance(order, Prove):
            return shortcomings(self.assignment, self.game, self.sandbox)
        assert isinstance(order, PlayAll)
        return tuple(map(self._play, order.specs))

    def _play(self, spec: MatchSpec) -> Outcome:
        try:
            for index in set(spec.seats) - self.settled:
                self._settle(index)
        except ArenaError as error:
            return failed(spec, error)
        return attempt(self.bench, spec)

    def _settle(self, index: int) -> None:
        """The bot lies here, ready to play."""
        bot = self.assignment.plan.bots[index]
        here = replace(bot, folder=self.places.bundle(self.assignment.parcels[index].key))
        self.bench.settle(index, build_bot(here, self.workshop))
        self.settled.add(index)


def shortcomings(assignment: Assignment, game: Game, sandbox: Sandbox) -> tuple[str, ...]:
    """Why this machine cannot play the assignment, one line each; empty if it can."""
    found = []
    if game.version != assignment.rules:
        found.append(f"it plays version {game.version} of the rules, not {assignment.rules}")
    if (lack := lacks(sandbox, assignment.plan.required)) is not None:
        found.append(f"sandbox {sandbox.name}: {lack[0]} ({lack[1]})")
    return (*found, *_missing_for_bots(assignment))


def _missing_for_bots(assignment: Assignment) -> list[str]:
    """What of the bots cannot run here; each kind of bot is looked at once."""
    here, plan = architecture_here(), assignment.plan
    host = Host(plan.limits.toolchains, images=plan.sandbox == IN_IMAGES)
    found: dict[object, str] = {}
    for bot, parcel in zip(assignment.plan.bots, assignment.parcels, strict=True):
        if parcel.native and not here.runs(parcel.native):
            alien = f"bot {bot.name} is machine code for {parcel.native}, this is {here}"
            remedy = '`ship = "source"` under [run] has bots built where they play'
            found.setdefault(parcel.native, f"{alien} ({remedy})")
        kind = (bot.build[:1], bot.run[:1], bot.needs, bot.shows, bot.ready, bool(bot.image))
        if kind not in found:
            found[kind] = _missing_for(bot, host)
    return [lack for lack in found.values() if lack]


def _missing_for(bot: Bot, host: Host) -> str:
    needed = [bot, *(replace(bot, run=(command,), ready=True) for command in bot.needs)]
    lacking = [lack for each in needed if (lack := missing_toolchain(each, host))]
    lacking += [f"{path} is missing, which it needs" for path in bot.shows if not path.exists()]
    return f"bot {bot.name}: {lacking[0]}" if lacking else ""


def main(descriptor: int) -> None:
    """Obeys orders until told to leave, until none comes for IDLE_S, or until the worker dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    connection = Connection(descriptor)
    orders: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(connection, orders), daemon=True).start()
    with own_core() as core:
        try:
            allow_descriptors()
            _serve(connection, orders, _afforded(orders.get()), core)
        except ArenaError as error:
            connection.send(error)
        except Exception as error:  # a bug, but the organiser must hear of it, as a line
            traceback.print_exc()
            text = " ".join(traceback.format_exception_only(error)[-1].split())
            connection.send(SandboxError(f"a player failed: {text}", where=platform.node()))


def _afforded(assignment: object) -> Assignment:
    """The assignment with no more bots running than this machine can bear."""
    if isinstance(assignment, Exception):
        raise assignment
    assert isinstance(assignment, Assignment)
    plan = assignment.plan
    affordable = min(plan.most_processes, affordable_processes(assignment.slots))
    return replace(assignment, plan=replace(plan, most_processes=affordable))


def _serve(
    connection: Connection, orders: queue.SimpleQueue[Any], assignment: Assignment, core: int
) -> None:
    manager = plugins.build_manager(builtin=plugins.TO_BUILD_AND_PLAY)
    plan, clock, places = assignment.plan, SteadyClock(), Places(cache_folder())
    game = pick(plugins.games(manager), plan.game, "game")
    sandbox = pick(plugins.sandboxes(manager), plan.sandbox, "sandbox")
    adapters: Mapping[str, Adapter] = plugins.adapters(manager)
    limits = BuildLimits(toolchains=plan.limits.toolchains)
    workshop = Workshop(sandbox, places.built, clock, limits, adapters=adapters)
    with Bench(plan, game=game, sandbox=sandbox, clock=clock, core=core) as bench:
        player = _Player(assignment, game, sandbox, bench, workshop, places)
        with suppress(queue.Empty):
            while (order := orders.get(timeout=IDLE_S)) is not None:
                connection.send(player.obey(order))


def _listen(connection: Connection, orders: queue.SimpleQueue[Any]) -> None:
    try:
        while True:
            orders.put(connection.recv())
    except (EOFError, OSError):
        os.kill(os.getpid(), signal.SIGKILL)
    except Exception as error:  # an order that cannot be read here: the main thread says so
        orders.put(error)
        _listen(connection, orders)


if __name__ == "__main__":
    main(int(sys.argv[1]))
