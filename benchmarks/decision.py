"""What a decision costs: the referee against a bare write/read of the same bytes.

Four bots sit at one table, and everything is pinned to one core. Rounds of whole matches (records
and clocks on) alternate with rounds of `os.write` and `os.read` that send the same requests to the
same processes in the same order and do nothing with the answers, and with rounds that also make the
other system calls of a decision: a look at stdout, a wait with a deadline, two readings of the
clock. The fastest round of each is shown: what the machine adds by its other work is not the cost
of a decision.

    python benchmarks/decision.py                    # four null bots in C, unsandboxed
    python benchmarks/decision.py --bot python       # four Python bots
    python benchmarks/decision.py --sandbox bwrap    # in the sandbox
    python benchmarks/decision.py --compiled         # the compiled build, made for it
    python benchmarks/decision.py --apart            # the bots on one core, the referee on another
    python benchmarks/decision.py --profile          # where the time goes
"""

from __future__ import annotations

import argparse
import atexit
import cProfile
import os
import pstats
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "protocol")]


def compiled_packages() -> str:
    """A folder with the packages of a compiled wheel, built now."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
    environment = {**os.environ, "ARENA_COMPILED": "1"}
    subprocess.run([*command, "-w", folder, str(ROOT)], env=environment, check=True)
    for wheel in Path(folder).glob("*.whl"):
        zipfile.ZipFile(wheel).extractall(folder)
    return folder


if "--compiled" in sys.argv:  # before anything is imported from there
    sys.path.insert(0, compiled_packages())

from arena.referee.driver import play  # noqa: E402
from arena.referee.seat import Seat  # noqa: E402
from arena.sandbox.api import Sandbox  # noqa: E402
from arena.sandbox.bubblewrap import Bubblewrap  # noqa: E402
from arena.sandbox.unconfined import Unconfined  # noqa: E402
from tests.referee.links import CLOCK, VILLAINS, a_table, python_bot, seated  # noqa: E402

DECISIONS_PER_DEAL = 56
SANDBOXES = {"none": Unconfined, "bwrap": Bubblewrap}
TARGETS = {"null": 2.0, "python": 1.35}


@dataclass(frozen=True, slots=True)
class Cost:
    """Microseconds for each decision: time on the wall, and CPU time of this process."""

    wall_us: float
    cpu_us: float


class Requests:
    """An observer that keeps every request, in order."""

    def __init__(self) -> None:
        self.kept: list[tuple[int, bytes]] = []

    def sent(self, seat: int, data: bytes) -> None:
        if b'{"type":"act"' in data:
            self.kept.append((seat, data))

    def received(self, seat: int, data: bytes) -> None: ...


def build_null_bot(folder: Path) -> list[str]:
    """Builds it in `folder`, which lies in the bots' own, so that a sandbox shows it to them."""
    target = folder / "null_bot"
    source = ROOT / "benchmarks" / "null_bot.c"
    subprocess.run(["cc", "-O2", "-D_GNU_SOURCE", "-o", target, source], check=True)
    folder.chmod(0o755)
    return [str(target.relative_to(VILLAINS))]


def referee_round(seats: Sequence[Seat], deals: int) -> Cost:
    wall, cpu = time.perf_counter(), time.process_time()
    record = play(a_table(deals=deals), seats, CLOCK)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    assert not record.faults
    each = 1e6 / (DECISIONS_PER_DEAL * deals)
    return Cost(wall * each, cpu * each)


def bare_round(seats: Sequence[Seat], requests: Sequence[tuple[int, bytes]]) -> Cost:
    ends = [(seat.pipes.stdin, seat.pipes.stdout) for seat in seats]
    exchanges = [(*ends[seat], data) for seat, data in requests]
    _set_blocking(ends, True)
    write, read = os.write, os.read
    wall, cpu = time.perf_counter(), time.process_time()
    for stdin, stdout, data in exchanges:
        write(stdin, data)
        read(stdout, 4096)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    _set_blocking(ends, False)
    each = 1e6 / len(exchanges)
    return Cost(wall * each, cpu * each)


def system_round(seats: Sequence[Seat], requests: Sequence[tuple[int, bytes]]) -> Cost:
    """As `bare_round`, with every system call that the referee makes for a decision."""
    ends = [(seat.pipes.poll, seat.pipes.stdin, seat.pipes.stdout) for seat in seats]
    exchanges = [(*ends[seat], data) for seat, data in requests]
    write, read, now = os.write, os.read, CLOCK.now
    wall, cpu = time.perf_counter(), time.process_time()
    for poll, stdin, stdout, data in exchanges:
        poll(0)
        began = now()
        write(stdin, data)
        poll(1000.0)
        read(stdout, 400)
        now() - began
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    each = 1e6 / len(exchanges)
    return Cost(wall * each, cpu * each)


def _set_blocking(ends: Sequence[tuple[int, int]], blocking: bool) -> None:
    for pair in ends:
        for descriptor in pair:
            os.set_blocking(descriptor, blocking)


def measure(
    command: Sequence[str], sandbox: Sandbox, deals: int, rounds: int, core: int
) -> tuple[dict[str, Cost], float]:
    """The costs by name, and the mean size of a request in bytes.

    The bots stay on the core of this process, which moves to `core` when they have started.
    """
    with seated([command] * 4, sandbox=sandbox) as seats:
        os.sched_setaffinity(0, {core})
        requests = Requests()
        play(a_table(deals=deals), seats, CLOCK, [requests])
        costs: dict[str, list[Cost]] = {"bare write/read": [], "system calls": [], "referee": []}
        for _ in range(rounds):
            costs["referee"].append(referee_round(seats, deals))
            costs["bare write/read"].append(bare_round(seats, requests.kept))
            costs["system calls"].append(system_round(seats, requests.kept))
    size = statistics.mean(len(data) for _, data in requests.kept)
    return {name: _best(rounds) for name, rounds in costs.items()}, size


def _best(costs: Sequence[Cost]) -> Cost:
    return Cost(
        min(cost.wall_us for cost in costs),
        min(cost.cpu_us for cost in costs),
    )


def profile(command: Sequence[str], deals: int) -> None:
    with seated([command] * 4) as seats:
        profiler = cProfile.Profile()
        profiler.runcall(play, a_table(deals=deals), seats, CLOCK)
    pstats.Stats(profiler).sort_stats("tottime").print_stats(25)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bot", choices=("null", "python"), default="null")
    parser.add_argument("--sandbox", choices=SANDBOXES, default="none")
    parser.add_argument("--deals", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--apart", action="store_true", help="the referee on another core")
    parser.add_argument("--compiled", action="store_true", help="build and measure a compiled one")
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    others = os.sched_getaffinity(0) - {options.core}
    core = min(others) if options.apart else options.core
    os.sched_setaffinity(0, {options.core})
    with tempfile.TemporaryDirectory(dir=VILLAINS) as folder:
        command = build_null_bot(Path(folder)) if options.bot == "null" else python_bot("fair")
        if options.profile:
            return profile(command, options.deals)
        sandbox = SANDBOXES[options.sandbox]()
        costs, size = measure(command, sandbox, options.deals, options.rounds, core)
    print(
        f"four {options.bot} bots on core {options.core}, referee on core {core}, "
        f"sandbox {options.sandbox}, compiled: {'yes' if options.compiled else 'no'}, "
        f"{size:.0f} bytes a request, Python {sys.version.split()[0]}"
    )
    print("| a decision | wall µs | CPU µs of this process |")
    print("|---|---|---|")
    for name, cost in costs.items():
        print(f"| {name} | {cost.wall_us:.1f} | {cost.cpu_us:.1f} |")
    ratio = costs["referee"].wall_us / costs["bare write/read"].wall_us
    print(f"| ratio (target {TARGETS[options.bot]}) | {ratio:.2f} | |")
    return None


if __name__ == "__main__":
    main()
