"""How far one coordinator goes; docs/scale.md tells what came out.

    python benchmarks/scale.py writer [--matches N]   records a second that the runner stores
    python benchmarks/scale.py memory [--matches N]   memory for a schedule of so many matches
    python benchmarks/scale.py engine [--matches N]   what a task and a match cost beside the play
    python benchmarks/scale.py pair [--orbits N]      two workers of a cluster against a pool of two
    python benchmarks/scale.py simulate --task-ms .. --match-ms .. --scheduler-ms ..   many workers

Times are given by the clock, and in seconds of processor time of the processes in question: on a
machine that does other things as well only the latter mean anything.
"""

from __future__ import annotations

import argparse
import heapq
import os
import resource
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from statistics import median

from arena import plugins
from arena.records import MatchRecord
from arena.tournament.cluster import conductor, crew, local
from arena.tournament.cluster.assignment import Played
from arena.tournament.cluster.pool import Pool
from arena.tournament.config import check_tournament
from arena.tournament.executors import LocalPool
from arena.tournament.folder import open_run
from arena.tournament.plan import MatchSpec, Outcome, RunPlan, Segment, match_specs, pack
from arena.tournament.prepare import Tournament, prepare
from arena.tournament.runner import run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["writer", "memory", "engine", "pair", "simulate"])
    parser.add_argument("--matches", type=int)
    parser.add_argument("--orbits", type=int, default=40)
    parser.add_argument("--task-ms", type=float, default=1.93, help="coordinator, a task")
    parser.add_argument("--match-ms", type=float, default=0.14, help="coordinator, a match")
    parser.add_argument("--scheduler-ms", type=float, default=2.75, help="scheduler, a task")
    given = parser.parse_args()
    if given.what == "writer":
        writer(given.matches or 1_000_000)
    elif given.what == "memory":
        memory(given.matches or 10_000_000)
    elif given.what == "engine":
        engine(given.matches or 8_000)
    elif given.what == "pair":
        pair(given.orbits)
    else:
        simulate(given.task_ms / 1000, given.match_ms / 1000, given.scheduler_ms / 1000)


# The writer


@dataclass
class Ready:
    """An executor whose matches are over as soon as they are asked for."""

    template: MatchRecord
    name: str = "ready"

    def play(self, plan: RunPlan, specs: Iterator[MatchSpec], *, workers: int) -> Iterator[Outcome]:
        template, stored = self.template, pack(self.template)
        for spec in specs:
            record = replace(template, match=spec.match, set=spec.set, seed=spec.seed)
            yield Outcome(spec, record, packed=stored)


class Progress:
    """Says after every tenth of the matches how fast they were stored."""

    def __init__(self, total: int) -> None:
        self.step, self.count = max(1, total // 10), 0
        self.clock, self.cpu = time.perf_counter(), time.process_time()

    def finished(self, outcome: Outcome) -> None:
        self.count += 1
        if self.count % self.step == 0:
            clock, cpu = time.perf_counter(), time.process_time()
            print(
                f"{self.count:>9}: {self.step / (clock - self.clock):6.0f} records/s, "
                f"{self.step / (cpu - self.cpu):6.0f} a second of processor time, "
                f"{peak_mb():.0f} MB",
                flush=True,
            )
            self.clock, self.cpu = clock, cpu

    def void(self, outcome: Outcome) -> None:
        raise AssertionError(outcome.void)


def writer(matches: int) -> None:
    """The runner itself, with records of real size that cost nothing to make."""
    with tempfile.TemporaryDirectory() as folder:
        ready = tournament(folder, orbits=matches // 5)
        template = real_record(ready)
        ready = replace(ready, executor=Ready(template))
        begun, cpu = time.perf_counter(), time.process_time()
        with open_run(ready, Path(folder, "run")) as (store, whole):
            run(whole, store, listener=Progress(matches))
            size_mb = sum(path.stat().st_size for path in Path(folder, "run").iterdir()) / 2**20
        took, cpu = time.perf_counter() - begun, time.process_time() - cpu
        print(
            f"{matches} records: {matches / took:.0f}/s, {matches / cpu:.0f} a second of processor "
            f"time, {size_mb:.0f} MB on disk"
        )


# Memory


def memory(matches: int) -> None:
    """Draws a schedule of 1,000 bots through the pool, as for 1,000 workers."""
    orbits = matches // 1_000
    schedule = plugins.schedules(plugins.build_manager())["round-robin"]
    specs = match_specs(schedule, [Segment(1_000, orbits)], "seed")
    bound = 1_000 * (conductor.AHEAD * conductor.MOST_A_TASK + conductor.MOST_KEPT)
    pool, drawn, begun = Pool(specs, bound=bound), 0, time.process_time()
    held: deque[list[MatchSpec]] = deque()
    before = peak_mb()
    while not pool.done:
        while specs_of := pool.take("w", conductor.MOST_A_TASK, now=0, alone=True):
            held.append(specs_of)
        for spec in held.popleft():
            pool.close(spec.number)
            drawn += 1
            if drawn % max(1, matches // 10) == 0:
                rate = drawn / (time.process_time() - begun)
                print(
                    f"{drawn:>9} matches, {pool.open} open: {peak_mb():.0f} MB "
                    f"(before {before:.0f}), {rate:.0f} drawn a second",
                    flush=True,
                )


# The engine


def engine(matches: int) -> None:
    """Matches that take no time through a real scheduler and two real workers."""
    with tempfile.TemporaryDirectory() as folder:
        ready = tournament(folder, orbits=matches)
        template = real_record(ready)
        crew.play = ready_player(template)  # travels by value: it is not the workers' own
        costs = {size: cost(ready, matches, size) for size in (1, conductor.MOST_A_TASK)}
    (a, few), (b, many) = costs.items()
    for place, who in enumerate(("coordinator", "scheduler")):
        # cost of a match in tasks of n: task / n + match
        task = (few[place] - many[place]) / (1 / a - 1 / b)
        match = many[place] - task / b
        print(f"{who}: {1000 * task:.2f} ms a task and {1000 * match:.2f} ms a match, of processor")


def cost(ready: Tournament, matches: int, size: int) -> tuple[float, float]:
    """Processor time a match of coordinator and scheduler, in s, with so many matches a task."""
    conductor.MOST_A_TASK = size
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder, "scheduler.json")
        crowd = [local.start_scheduler(told)]
        address = local.address_told(told, crowd[0])
        crowd += [local.start_worker(address, folder) for _ in range(2)]
        specs = match_specs(ready.schedule, ready.segments, ready.seed)
        try:
            with closing(conductor.conduct(ready.plan, specs, address)) as outcomes:
                for _ in islice(outcomes, 500):
                    pass  # both workers have proved themselves and have their bots
                clock, ours, theirs = time.perf_counter(), time.process_time(), cpu_s(crowd[0])
                for _ in islice(outcomes, matches):
                    pass
                took = time.perf_counter() - clock
                ours, theirs = time.process_time() - ours, cpu_s(crowd[0]) - theirs
        finally:
            local.dismiss(crowd)
    print(f"{size:>2} a task: {matches / took:.0f} matches/s by the clock", flush=True)
    return ours / matches, theirs / matches


def ready_player(template: MatchRecord):
    """What stands in for a worker's player: it answers at once with records of real size."""
    stored = pack(template)

    def play(name: str, specs: Sequence[MatchSpec]) -> Played:
        outcomes = tuple(
            Outcome(s, replace(template, match=s.match, set=s.set, seed=s.seed), packed=stored)
            for s in specs
        )
        return Played(outcomes, 1e-4 * len(specs))

    return play


def cpu_s(process: subprocess.Popen[bytes]) -> float:
    """Processor time of a running process."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# Two and two


def pair(orbits: int) -> None:
    """The same matches by turns: a local pool of two, and two workers over TCP.

    The processor time of all processes together is taken between a short and a long run, so that
    it does not contain their start.
    """
    executors = plugins.executors(plugins.build_manager())
    rates: dict[str, list[float]] = {"local": [], "dask": []}
    costs: dict[str, list[float]] = {"local": [], "dask": []}
    with tempfile.TemporaryDirectory() as folder:
        short, long = tournament(folder, orbits=4), tournament(folder, orbits=4 + orbits)
        for _ in range(3):
            for name in rates:
                executor = executors[name]
                little, _ = spent(executor.play(short.plan, specs(short), workers=2))
                much, found = spent(executor.play(long.plan, specs(long), workers=2))
                rates[name].append(found)
                costs[name].append((much - little) / (5 * orbits))
    for name in rates:
        by_clock = ", ".join(f"{each:.1f}" for each in rates[name])
        processor = ", ".join(f"{1000 * each:.0f}" for each in costs[name])
        print(f"{name:>5}: {by_clock} matches/s by the clock, {processor} ms of processor a match")
    for what, ratios in (
        ("matches/s, dask / local", zip(rates["dask"], rates["local"], strict=True)),
        ("processor, local / dask", zip(costs["local"], costs["dask"], strict=True)),
    ):
        print(f"{what}: {median(a / b for a, b in ratios):.2f} (median)")


def spent(outcomes: Iterator[Outcome]) -> tuple[float, float]:
    """Processor time of everything that played, in s, and matches a second once all play."""
    before = family_cpu_s()
    for _ in islice(outcomes, 10):
        pass
    begun = last = time.perf_counter()
    count = 0
    for _ in outcomes:
        count, last = count + 1, time.perf_counter()
    return family_cpu_s() - before, count / (last - begun)


def family_cpu_s() -> float:
    """Processor time of this process and of all that have ended below it."""
    own, ended = (resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + ended.ru_utime + ended.ru_stime


# Many workers


def simulate(task_s: float, match_s: float, scheduler_s: float) -> None:
    """A closed queueing network: workers, one scheduler, one coordinator (that also writes)."""
    print("s a match | workers | matches/s | of what they could | busy: coordinator, scheduler")
    for play_s in (0.05, 0.5, 5.0):
        for workers in (10, 100, 1_000):
            size = conductor.task_size(play_s, workers)
            coordinator_s = task_s + size * match_s
            found = network(workers, size * play_s, coordinator_s, scheduler_s)
            print(
                f"{play_s:>9} | {workers:>7} | {found * size:>9.0f} | "
                f"{found * size * play_s / workers:>18.0%} | "
                f"{found * coordinator_s:>17.0%}, {found * scheduler_s:>9.0%}"
            )


def network(workers: int, play_s: float, coordinator_s: float, scheduler_s: float) -> float:
    """Tasks a second in a long run."""
    ends = 100 * workers
    coordinator = scheduler = 0.0
    free = [0.0] * workers
    # A task goes coordinator > scheduler > worker and back; every worker has AHEAD of them.
    ready = [(0.0, worker) for worker in range(workers) for _ in range(conductor.AHEAD)]
    heapq.heapify(ready)
    for _ in range(ends):
        now, worker = heapq.heappop(ready)
        coordinator = max(now, coordinator) + coordinator_s
        scheduler = max(coordinator, scheduler) + scheduler_s
        free[worker] = max(scheduler, free[worker]) + play_s
        heapq.heappush(ready, (free[worker], worker))
    return ends / max(free)


# Shared


def tournament(folder: str, orbits: int) -> Tournament:
    """Five quick bots in the sandbox."""
    bots = [f"b{number}=random" for number in range(5)]
    content = {"bots": bots, "seed": "7", "schedule": {"orbits": orbits}, "run": {"workers": 2}}
    file = check_tournament(content, where="benchmark")
    return prepare(file, plugins.build_manager(), cache=Path(folder, "cache"))


def specs(ready: Tournament) -> Iterator[MatchSpec]:
    return match_specs(ready.schedule, ready.segments, ready.seed)


def real_record(ready: Tournament) -> MatchRecord:
    """One match, really played."""
    with closing(LocalPool().play(ready.plan, islice(specs(ready), 1), workers=1)) as outcomes:
        record = next(outcomes).record
    assert record is not None
    return record


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
