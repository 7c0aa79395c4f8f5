"""What runs on a Dask worker: its players, and what the coordinator asks of them.

`admit` once, `keep` for every bundle that is not there yet, `play` for matches, `leave` at the end.
A crew lives as a plugin of the worker, so that it ends with it.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

from distributed import Worker, WorkerPlugin, get_worker
from distributed.utils import sync

from arena import scratch
from arena.bots.bundle import unpack
from arena.cache import cache_folder, hold
from arena.errors import ArenaError
from arena.tournament.cluster.assignment import (
    Assignment,
    Part,
    Places,
    PlayAll,
    Played,
    Proof,
    Prove,
)
from arena.tournament.plan import MatchSpec

LEAVE_S = 5.0


class PlayerDiedError(Exception):
    """A player ended in the middle of what it was asked; the text says how."""


class StrangerError(Exception):
    """This worker was not admitted to the run: it is another one than it was."""


class _Player:
    """Our end of a player process."""

    def __init__(self, assignment: Assignment) -> None:
        self._connection, theirs = Pipe()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "arena.tournament.cluster.player", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
            )
        _send(self._connection, assignment)

    def ask(self, order: object) -> Any:
        """The answer. Raises ArenaError if that is the answer, PlayerDiedError if none comes."""
        _send(self._connection, order)
        try:
            answer = self._connection.recv()
        except (EOFError, OSError):
            self.end()
            status = self.process.returncode
            raise PlayerDiedError(f"a player ended (exit status {status})") from None
        if isinstance(answer, ArenaError):
            self.end()
            raise answer
        return answer

    def leave(self) -> None:
        """Lets it stop its bots, then sees that it is gone."""
        _send(self._connection, None)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(LEAVE_S)
        self.end()

    def end(self) -> None:
        """It is dead, and with it its bots."""
        self._connection.close()
        self.process.kill()
        self.process.wait()


def _send(connection: Connection, order: object) -> None:
    with suppress(OSError):  # a dead player is noticed when it is read from
        connection.send(order)


class Crew(WorkerPlugin):
    """The players of one run on one worker: as many as it plays matches at a time."""

    def __init__(self, assignment: Assignment, places: Places) -> None:
        self.places = places
        self._assignment = assignment
        self._idle: list[_Player] = []
        self._all: set[_Player] = set()
        self._lock = threading.Lock()
        scratch.sweep()  # a worker is no command of ours: nobody else sweeps for it
        self._end = ExitStack()
        self._parts = self._end.enter_context(scratch.scratch_folder("bundles"))

    def ask(self, order: object) -> Any:
        """The answer of an idle player, or of a new one."""
        player = self._called()
        try:
            answer = player.ask(order)
        except BaseException:
            with self._lock:
                self._all.discard(player)
            raise
        with self._lock:
            self._idle.append(player)
        return answer

    def add_part(self, key: str, part: Part) -> None:
        """Takes the next piece of a bundle; with the last one it is unpacked."""
        packed = self._parts / key
        with packed.open("ab" if part.offset else "wb") as file:
            file.write(part.content)
        if part.last:
            place = self.places.bundle(key)
            while not hold(place):
                unpack(packed, key, place)
            packed.unlink()

    async def teardown(self, worker: Worker) -> None:
        """Called by the worker when it ends, or when the plugin is removed."""
        await asyncio.to_thread(self.dismiss)

    def dismiss(self) -> None:
        """Every player is gone; idle ones leave in peace."""
        with self._lock:
            idle, busy = self._idle, self._all.difference(self._idle)
            self._idle, self._all = [], set()
        for player in busy:
            player.process.kill()
        for player in idle:
            player.leave()
        self._end.close()

    def _called(self) -> _Player:
        with self._lock:
            while self._idle:
                player = self._idle.pop()
                if player.process.poll() is None:
                    return player
                player.end()  # it had nothing to do for so long that it left
                self._all.discard(player)
            player = _Player(self._assignment)
            self._all.add(player)
            return player


def admit(run: str, assignment: Assignment) -> Proof:
    """A task: the worker has a crew for the run if it can play it; what it lacks if it cannot."""
    worker = get_worker()
    places = Places(cache_folder())
    crew = Crew(replace(assignment, slots=worker.state.nthreads), places)
    try:
        lacks = crew.ask(Prove())
    except ArenaError as error:
        lacks = (str(error),)
    if lacks:
        crew.dismiss()
        return Proof(lacks)
    sync(worker.loop, worker.plugin_add, plugin=crew, name=_name(run))
    keys = {parcel.key for parcel in assignment.parcels}
    return Proof((), frozenset(key for key in keys if hold(places.bundle(key))))


def keep(run: str, key: str, part: Part) -> None:
    """A task: the worker has the next piece of a bundle."""
    _crew(run).add_part(key, part)


def play(run: str, specs: Sequence[MatchSpec]) -> Played:
    """A task: plays the matches by a player of the worker."""
    begun = time.monotonic()
    outcomes = _crew(run).ask(PlayAll(tuple(specs)))
    return Played(outcomes, time.monotonic() - begun)


async def leave(run: str, dask_worker: Worker) -> None:
    """Not a task, since those wait for their turn: the players of the run are gone."""
    if _name(run) in dask_worker.plugins:
        await dask_worker.plugin_remove(name=_name(run))


def _crew(run: str) -> Crew:
    crew = get_worker().plugins.get(_name(run))
    if not isinstance(crew, Crew):
        raise StrangerError(run)
    return crew


def _name(run: str) -> str:
    return f"callbreak-arena-{run}"
