"""The coordinator's side of a cluster: who is there, who may play, who has which match.

Theory of operation. Everything happens in an event loop in the run's main thread, which turns only
while the runner waits for outcomes. Each worker that the scheduler knows first proves itself; then
AHEAD *lanes* a slot take matches from the pool for it, see that it has their bots, and send them as
one task that runs on that worker alone. So the coordinator, not the engine, decides who plays what,
and knows at any time what is lost if a worker goes. Short matches travel several to a task, so that
the engine's overhead a task counts for little.

A worker is alive as long as it makes progress: one that has had matches for much longer than any
task ever took is *doubted*: its matches are given to others and it gets no more, but what it still
delivers counts if nobody was faster, and makes it trusted again. Heartbeats say nothing.
"""

from __future__ import annotations

import asyncio
import logging
import pkgutil
import signal
import uuid
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from arena import __version__, plugins
from arena.errors import ArenaError, SandboxError
from arena.lookup import pick
from arena.scratch import scratch_folder
from arena.tournament.cluster import crew
from arena.tournament.cluster.assignment import Played, Proof
from arena.tournament.cluster.ledger import MOST_KEPT, Ledger
from arena.tournament.cluster.link import FailedError, GoneError, Link
from arena.tournament.cluster.pool import Pool
from arena.tournament.cluster.stock import Stock
from arena.tournament.plan import MatchSpec, Outcome, RunPlan

AHEAD = 2
"""Tasks that a slot has: the one it plays and the next, so that it never waits for us."""

TASK_S = 0.5
"""Matches travel together up to about so much play, or more where there are many workers."""

TASKS_A_SECOND = 100
"""A scheduler is not asked for more: it takes 1 to 3 ms for a task (docs/scale.md)."""

MOST_A_TASK = 64

POLL_S = 0.5

PATIENCE_S = 20.0
"""A worker is never doubted before, nor before PATIENCE times the longest task so far."""

PATIENCE = 4
SLOW = 2
"""At the end, what has taken SLOW times the longest task so far is begun once more elsewhere."""

HOPELESS_S = 10.0
"""So long with nobody there but workers that were set aside: nothing will be played."""

ADMISSION_S = 300.0
"""A worker that has not proved itself by then hangs, and is set aside."""

FAILURES = 5
"""So often in a row may a worker fail while others play."""

log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class _Worker:
    """A worker of the cluster. `in_hand` is what it was given and has not delivered yet, `progress`
    when it last delivered (or was given the first), `failures` how often it failed since."""

    address: str
    slots: int
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    in_hand: list[MatchSpec] = field(default_factory=list)
    progress: float = 0.0
    failures: int = 0
    doubted: bool = False
    admitted: bool = False
    set_aside: bool = False
    bundles: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    @property
    def plays(self) -> bool:
        """True if it may be given matches, now or when it is no longer doubted."""
        return self.admitted and not (self.set_aside or self.gone.is_set())


def conduct(
    plan: RunPlan, specs: Iterator[MatchSpec], scheduler: str
) -> Generator[Outcome, None, None]:
    """Yields an outcome for every spec, played by the workers of the scheduler."""
    with scratch_folder("packed") as folder, asyncio.Runner() as runner:
        conductor = Conductor(plan, specs, scheduler, folder)
        try:
            with _heard(conductor.be_asked_to_stop):
                runner.run(conductor.begin())
                while outcomes := runner.run(conductor.more()):
                    yield from outcomes
        finally:
            runner.run(conductor.end())


@contextmanager
def _heard(then: Callable[[], None]) -> Iterator[None]:
    """Calls `then` too at a Ctrl-C or SIGTERM that somebody handles, after they have."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def hear(number: int, frame: FrameType | None) -> None:
        then()
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    for number, handler in before.items():
        if callable(handler):
            signal.signal(number, hear)
    try:
        yield
    finally:
        for number, handler in before.items():
            if callable(handler):
                signal.signal(number, handler)


def task_size(match_s: float, slots: int) -> int:
    """How many matches of that length travel in one task to a cluster of so many slots."""
    task_s = max(TASK_S, slots / TASKS_A_SECOND)
    return max(1, min(MOST_A_TASK, round(task_s / match_s)))


class Conductor:
    """One run on one cluster: `begin`, then `more` until nothing comes, then `end`."""

    def __init__(
        self, plan: RunPlan, specs: Iterator[MatchSpec], scheduler: str, folder: Path
    ) -> None:
        self._run = uuid.uuid4().hex[:12]
        self._link = Link(scheduler, self._run)
        self._plan = plan
        self._pool = Pool(specs, bound=0)
        self._ledger = Ledger()
        self._stock = Stock(plan, folder)
        game = pick(plugins.games(plugins.build_manager()), plan.game, "game")
        self._assignment = self._stock.assignment(game.version)
        self._workers: dict[str, _Worker] = {}
        self._refused: dict[str, str] = {}
        self._outcomes: deque[Outcome] = deque()
        self._tasks: set[asyncio.Task[None]] = set()
        self._trouble: BaseException | None = None
        self._news = asyncio.Event()
        self._pulse = asyncio.Event()
        self._match_s = TASK_S
        self._longest_s = 0.0
        self._now = 0.0
        self._hopeless_s = self._deserted_s = 0.0
        self._asked_to_stop = False
        self._starving = 0
        self._slots = 0

    async def begin(self) -> None:
        """Connected, and looking for workers. Raises ArenaError if no scheduler answers."""
        await self._link.connect()
        self._spawn(self._watch())

    def be_asked_to_stop(self) -> None:
        """What is being played is still finished; if nothing is, the run ends soon."""
        self._asked_to_stop = True

    async def more(self) -> list[Outcome]:
        """The next outcomes, one at least; none when everything is played. Raises ArenaError."""
        while not (self._outcomes or self._pool.done or self._trouble):
            self._news.clear()
            await self._news.wait()
        if self._trouble and not self._outcomes:
            raise self._trouble
        outcomes = list(self._outcomes)
        self._outcomes.clear()
        return outcomes

    async def end(self) -> None:
        """Nothing of the run is left on any worker that answers."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        present = [w.address for w in self._workers.values() if w.admitted and not w.doubted]
        await self._link.close(present)

    # Who is there

    async def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        last = loop.time()
        while True:
            self._note(await self._link.workers())
            # The loop stands still while the runner is busy: that is nobody's delay.
            self._now += min(loop.time() - last, 2 * POLL_S)
            last = loop.time()
            self._doubt_the_stuck()
            self._judge_the_rest()
            self._refuse_to_hope()
            self._wait_for_workers()
            self._wake()
            await asyncio.sleep(POLL_S)

    def _note(self, slots: dict[str, int]) -> None:
        for address in slots.keys() - self._workers.keys():
            worker = _Worker(address, slots[address])
            self._workers[address] = worker
            self._spawn(self._serve(worker))
        for address in self._workers.keys() - slots.keys():
            self._part_with(self._workers[address])
        self._slots = sum(slots.values())
        self._pool.bound = (AHEAD * self._size() + MOST_KEPT) * max(1, self._slots)

    def _part_with(self, worker: _Worker) -> None:
        """The worker is gone; should one appear at its address it is a new one."""
        if worker.gone.is_set():
            return
        worker.gone.set()
        self._workers.pop(worker.address)
        self._refused.pop(worker.address, None)
        if worker.admitted and not worker.set_aside:
            log.warning("%s is gone; %s", worker.address, _again(worker.in_hand))

    def _doubt_the_stuck(self) -> None:
        patience_s = max(PATIENCE_S, PATIENCE * self._longest_s or self._lawful_s())
        for worker in [w for w in self._workers.values() if w.in_hand and w.plays]:
            quiet_s = self._now - worker.progress
            if worker.doubted and quiet_s > 2 * max(patience_s, self._lawful_s()):
                self._part_with(worker)  # if it is still there it has to prove itself again
            elif quiet_s > patience_s and not worker.doubted:
                worker.doubted = True
                log.warning(
                    "%s has finished nothing for %.0f s; %s",
                    worker.address,
                    quiet_s,
                    _again(worker.in_hand),
                )
                self._pool.play_again(worker.in_hand, worker.address)

    def _lawful_s(self) -> float:
        """No match can take longer than about so much, as long as nothing is known of any."""
        limits = self._plan.rules.limits
        return (2 * limits.start_ms + 4 * (limits.match_ms + limits.grace_ms)) / 1000

    def _refuse_to_hope(self) -> None:
        waiting = any(not w.set_aside for w in self._workers.values())
        self._hopeless_s = 0.0 if waiting or not self._refused else self._hopeless_s + POLL_S
        if self._hopeless_s >= HOPELESS_S:
            reasons = "; ".join(f"{address}: {why}" for address, why in self._refused.items())
            raise SandboxError(
                f"no worker of the cluster can play: {reasons}",
                mend="mend it and start the same command again; what is finished is kept",
            )

    def _wait_for_workers(self) -> None:
        """Says that nobody is there, and gives up in time, or at once if asked to stop."""
        someone_plays = any(w.plays and not w.doubted for w in self._workers.values())
        if self._asked_to_stop and not someone_plays:
            self._trouble = self._trouble or KeyboardInterrupt()
            self._news.set()
        limit_s, deserted = self._plan.worker_wait_s, not self._workers
        if deserted and not self._deserted_s and self._plan.scheduler:
            for_s = f"{limit_s} s at most" if limit_s else "for ever"
            log.warning("waiting for workers, %s: the scheduler has none", for_s)
        self._deserted_s = self._deserted_s + POLL_S if deserted else 0.0
        if limit_s and self._deserted_s > limit_s:
            raise ArenaError(
                f"no worker came within {limit_s} s (run.worker_wait_s)",
                where=f"scheduler {self._plan.scheduler}",
                mend="start one with `dask worker ADDRESS`, and the same command again",
            )

    # One worker

    async def _serve(self, worker: _Worker) -> None:
        """The worker's whole life: proves itself, then plays in its lanes."""
        try:
            async with asyncio.timeout(ADMISSION_S):
                reason = await self._shortcoming(worker)
        except TimeoutError:
            reason = f"it did not prove itself within {ADMISSION_S:.0f} s"
        except GoneError:
            self._part_with(worker)
            return
        except (ArenaError, FailedError) as error:
            reason = f"it cannot prove itself: {error}"
        if reason:
            self._set_aside(worker, reason)
            return
        worker.admitted = True
        log.info("%s plays %d matches at a time", worker.address, worker.slots)
        await asyncio.gather(*(self._lane(worker) for _ in range(AHEAD * worker.slots)))

    async def _shortcoming(self, worker: _Worker) -> str:
        """Why the worker cannot play this run; empty if it can."""
        ask = self._link.ask
        try:
            version = await ask(
                worker.address, worker.gone, pkgutil.resolve_name, "arena:__version__"
            )
        except FailedError:
            return "callbreak-arena is not installed there (pip install callbreak-arena[dask])"
        if version != __version__:
            return f"it has callbreak-arena {version}, the coordinator {__version__}"
        proof: Proof = await ask(
            worker.address, worker.gone, crew.admit, self._run, self._assignment
        )
        for key in proof.holds:
            worker.bundles[key] = self._spawn(asyncio.sleep(0))
        return "; ".join(proof.lacks)

    async def _lane(self, worker: _Worker) -> None:
        """Plays one task after another on the worker, until it is gone or set aside."""
        while specs := await self._next(worker):
            if not worker.in_hand:
                worker.progress = self._now
            worker.in_hand += specs
            try:
                await self._bring(worker, specs)
                played: Played = await self._link.ask(
                    worker.address, worker.gone, crew.play, self._run, specs
                )
            except GoneError as error:
                self._part_with(worker)
                self._fail(worker, specs, str(error))
            except (FailedError, ArenaError) as error:
                self._fail(worker, specs, str(error))
            else:
                self._hear(worker, specs, played)
            self._news.set()

    async def _next(self, worker: _Worker) -> list[MatchSpec]:
        """The matches of the next task; none when the worker plays no more."""
        while worker.plays:
            if not worker.doubted and (specs := self._take(worker)):
                return specs
            await self._pulse.wait()
        return []

    def _take(self, worker: _Worker) -> list[MatchSpec]:
        size = self._size()
        name, now, alone = worker.address, self._now, not self._others(worker)
        older_s = max(2.0, SLOW * self._longest_s)
        return self._pool.take(name, size, now=now, alone=alone) or self._pool.take_copies(
            name, size, now=now, older_s=older_s
        )

    def _size(self) -> int:
        """How many matches travel in one task."""
        return task_size(self._match_s, self._slots)

    async def _bring(self, worker: _Worker, specs: Sequence[MatchSpec]) -> None:
        """The worker has the bots of these matches; each is sent to it once."""
        for index in {index for spec in specs for index in spec.seats}:
            key = self._assignment.parcels[index].key
            if key not in worker.bundles:
                worker.bundles[key] = self._spawn(self._send(worker, index, key))
            try:
                await asyncio.shield(worker.bundles[key])
            except FailedError:
                worker.bundles.pop(key, None)
                raise

    async def _send(self, worker: _Worker, index: int, key: str) -> None:
        try:
            async for part in self._stock.parts(index):
                await self._link.ask(worker.address, worker.gone, crew.keep, self._run, key, part)
        except ArenaError as error:
            raise FailedError(str(error)) from error

    # What became of it

    def _hear(self, worker: _Worker, specs: Sequence[MatchSpec], played: Played) -> None:
        _take_from(worker, specs)
        worker.progress = self._now
        if worker.doubted:
            worker.doubted = False
            log.warning("%s makes progress again", worker.address)
        each_s = played.took_s / len(specs)
        self._match_s += (each_s - self._match_s) / 10
        self._longest_s = max(self._longest_s, played.took_s)
        for outcome in played.outcomes:
            if self._pool.expects(outcome.spec.number) and not worker.set_aside:
                self._enter(worker, outcome)
        if self._ledger.is_due(worker.address):
            self._judge(worker.address)
        self._judge_the_rest()

    def _enter(self, worker: _Worker, outcome: Outcome) -> None:
        if outcome.record is None:
            self._fail(worker, [outcome.spec], outcome.void)
            return
        worker.failures = 0
        if self._ledger.enter(worker.address, outcome, alone=not self._others(worker)):
            self._pool.keep_back(outcome.spec.number)
        else:
            self._finish(outcome)

    def _finish(self, outcome: Outcome) -> None:
        self._pool.close(outcome.spec.number)
        self._outcomes.append(outcome)
        self._news.set()

    def _fail(self, worker: _Worker, specs: Sequence[MatchSpec], reason: str) -> None:
        """The matches were lost; a worker that only ever fails is set aside if others play."""
        _take_from(worker, specs)
        why = f"worker {worker.address}: {reason}"
        self._outcomes += self._pool.lose(specs, worker.address, why)
        worker.failures += 1
        if worker.failures >= FAILURES and self._others(worker) and not worker.set_aside:
            self._set_aside(worker, f"it failed {worker.failures} times in a row: {reason}")
        self._wake()

    def _judge_the_rest(self) -> None:
        """When all that is open is kept back, it is judged by what there is."""
        if self._pool.only_kept_back:
            for name in self._ledger.keeping_back():
                self._judge(name, at_last=True)

    def _judge(self, name: str, *, at_last: bool = False) -> None:
        worker = self._workers.get(name)
        reason = self._ledger.accusation(name)
        others = sum(w.plays for w in self._workers.values() if w is not worker)
        # Where machines are to blame they are few; if it seems to be most of them, it is the bots.
        if reason and others > self._starving:
            self._starving += 1
            self._pool.play_again([o.spec for o in self._ledger.strike_out(name)], name)
            if worker:
                self._set_aside(worker, reason)
        elif at_last or reason or self._ledger.clears(name):
            for outcome in self._ledger.release(name):
                self._finish(outcome)
        else:
            self._ledger.adjourn(name)

    def _set_aside(self, worker: _Worker, reason: str) -> None:
        worker.set_aside = True
        self._refused[worker.address] = reason
        kept_back = [outcome.spec for outcome in self._ledger.strike_out(worker.address)]
        self._pool.play_again([*worker.in_hand, *kept_back], worker.address)
        log.warning("%s gets no match: %s", worker.address, reason)
        self._wake()

    def _others(self, worker: _Worker) -> bool:
        """True if somebody else plays."""
        return any(w.plays and not w.doubted and w is not worker for w in self._workers.values())

    def _wake(self) -> None:
        """Lanes without work look again."""
        self._pulse.set()
        self._pulse = asyncio.Event()
        self._news.set()

    def _spawn(self, coroutine: Any) -> asyncio.Task[None]:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._end_of_task)
        return task

    def _end_of_task(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            if not isinstance(error, (GoneError, FailedError)):
                self._trouble = self._trouble or error
            self._news.set()


def _again(specs: Sequence[MatchSpec]) -> str:
    count = len(specs)
    return f"{count} unfinished match{'es are' if count != 1 else ' is'} played again elsewhere"


def _take_from(worker: _Worker, specs: Sequence[MatchSpec]) -> None:
    numbers = {spec.number for spec in specs}
    worker.in_hand = [spec for spec in worker.in_hand if spec.number not in numbers]
