"""Executors: many matches played by one or many processes.

Theory of operation. An executor is handed a plan once and then a lazy stream of specs; it takes a
spec only when it has room for it, so that a schedule of ten million matches is never in memory, and
yields outcomes as they come, in any order. The local pool starts worker processes, each pinned to a
core together with the bots it starts: to one of its own, or shared if there are more workers than
cores. A worker plays in its main thread (a sandbox that
dies with its parent dies with the spawning thread), dies with the coordinator, and leaves Ctrl-C to
the coordinator. A worker that is killed costs the matches it had in hand, which come back as void.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Protocol

from arena import plugins
from arena.errors import ArenaError, ConfigError
from arena.lookup import pick
from arena.tournament.bench import Bench
from arena.tournament.clock import SteadyClock, utc_now
from arena.tournament.cores import spread
from arena.tournament.plan import MatchSpec, Outcome, RunPlan, failed, finished
from arena.words import counted

AHEAD = 2
"""Specs a worker holds: the one it plays and the next, so that it never waits for us."""

MOST_WORKERS_A_CORE = 16

_PR_SET_PDEATHSIG = 1


class Executor(Protocol):
    """A way to play many matches."""

    @property
    def name(self) -> str: ...

    @property
    def pins_tables(self) -> bool:
        """True if it pins every table, referee and bots, to one core; a run reports that."""
        ...

    def play(
        self, plan: RunPlan, specs: Iterator[MatchSpec], *, workers: int
    ) -> Generator[Outcome, None, None]:
        """Yields an outcome for every spec, in any order. Closing it stops everything at once."""
        ...


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    connection: Connection
    core: int
    in_hand: deque[MatchSpec] = field(default_factory=deque)


class LocalPool:
    """Worker processes on this machine. `workers = 0`: one for each core that we may use."""

    name = "local"
    pins_tables = True

    def play(
        self, plan: RunPlan, specs: Iterator[MatchSpec], *, workers: int
    ) -> Generator[Outcome, None, None]:
        """Yields outcomes as they come; bounded in flight by AHEAD a worker."""
        crew: list[_Worker] = []
        try:
            for core in _cores(workers):
                if (spec := next(specs, None)) is None:
                    break  # no more workers than there are matches
                crew.append(_start_worker(plan, core))
                _hand(crew[-1], spec)
            yield from _conduct(plan, specs, crew)
        finally:
            _dismiss(crew)


def _cores(workers: int) -> list[int]:
    """The core of each worker; more workers than cores share them."""
    cores = os.sched_getaffinity(0)
    count = workers or len(cores)
    if count > len(cores) * MOST_WORKERS_A_CORE:
        raise ConfigError(
            f"{count} workers are too many for {counted(len(cores), 'core')}",
            where="workers",
            mend=f"at most {len(cores) * MOST_WORKERS_A_CORE}; 0 takes one a core",
        )
    return spread(count)


def _conduct(plan: RunPlan, specs: Iterator[MatchSpec], crew: list[_Worker]) -> Iterator[Outcome]:
    for worker, spec in zip(crew * (AHEAD - 1), specs, strict=False):
        _hand(worker, spec)
    while busy := {worker.connection: place for place, worker in enumerate(crew) if worker.in_hand}:
        for connection in wait(list(busy)):
            place = next(place for other, place in busy.items() if other is connection)
            worker = crew[place]
            try:
                outcome: Outcome = worker.connection.recv()
            except (EOFError, OSError):
                yield from _bury(worker)
                crew[place] = _start_worker(plan, worker.core)
                for spec in islice(specs, AHEAD):
                    _hand(crew[place], spec)
            else:
                worker.in_hand.remove(outcome.spec)
                for spec in islice(specs, 1):
                    _hand(worker, spec)
                yield outcome


def _hand(worker: _Worker, spec: MatchSpec) -> None:
    worker.in_hand.append(spec)
    with suppress(OSError):  # a dead worker is noticed when it is read from
        worker.connection.send(spec)


def _bury(worker: _Worker) -> Iterator[Outcome]:
    worker.connection.close()
    worker.process.join()
    reason = f"a worker process ended (exit status {worker.process.exitcode})"
    for spec in worker.in_hand:
        yield Outcome(spec, None, void=reason)


def _start_worker(plan: RunPlan, core: int) -> _Worker:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(
        target=work, args=(theirs, plan, core, os.getpid()), name="arena-worker", daemon=False
    )
    with _no_interrupts():
        process.start()
    theirs.close()
    return _Worker(process, ours, core)


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """What is started here never hears a Ctrl-C, not even before it can say that it will not."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _dismiss(crew: list[_Worker]) -> None:
    for worker in crew:
        worker.connection.close()
        if worker.in_hand:
            worker.process.kill()
    for worker in crew:
        worker.process.join(5)
        worker.process.kill()
        worker.process.join()


def work(connection: Connection, plan: RunPlan, core: int, coordinator: int) -> None:
    """A worker's whole life: plays what it is handed until the other end is closed."""
    _die_with(coordinator)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it was blocked until here
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    os.sched_setaffinity(0, {core})
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        try:
            manager = plugins.build_manager(builtin=plugins.TO_PLAY)
            game = pick(plugins.games(manager), plan.game, "game")
            sandbox = pick(plugins.sandboxes(manager), plan.sandbox, "sandbox")
        except ArenaError as error:  # a plugin that works with the coordinator, and not here
            while True:
                connection.send(failed(connection.recv(), error))
        with Bench(plan, game=game, sandbox=sandbox, clock=SteadyClock(), core=core) as bench:
            while True:
                connection.send(attempt(bench, connection.recv()))


def attempt(bench: Bench, spec: MatchSpec) -> Outcome:
    """Plays one match; a failing of the harness makes it void instead of ending the run."""
    try:
        return finished(spec, bench.play(spec, started=utc_now()))
    except ArenaError as error:
        return failed(spec, error)


def _die_with(coordinator: int) -> None:
    """Asks the kernel to kill us when the coordinator ends, however it ends."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != coordinator:
        os._exit(1)
