"""What a sandbox costs: start to first answer, one round trip, and a kill, against a bare process.

    python benchmarks/sandbox.py [--starts N] [--trips N] [PROVIDER...]

Medians. The starts of all providers are taken in turn, so that a busy machine is busy for all. The
bot is a few lines of Python that answer every line.
"""

from __future__ import annotations

import argparse
import os
import select
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.plugins import build_manager, sandboxes
from arena.process import Process, spawn
from arena.sandbox.api import Limits, Program, Sandbox

BOT = """
import sys
for line in sys.stdin:
    sys.stdout.write(line)
    sys.stdout.flush()
"""

REQUEST = b"x" * 400 + b"\n"
PATIENCE_S = 60.0
PYTHON = "/usr/bin/python3"
"""One that every provider can show, whoever runs this."""


@contextmanager
def bot_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="benchmark-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "bot.py").write_text(BOT)
        yield folder


def round_trip_us(process: Process) -> float:
    """Sends a request and waits for the whole reply."""
    start = time.perf_counter()
    os.write(process.stdin, REQUEST)
    reply = b""
    while not reply.endswith(b"\n"):
        if not select.select([process.stdout], [], [], PATIENCE_S)[0]:
            raise SystemExit(f"no answer: {os.read(process.stderr, 4000).decode()}")
        reply += os.read(process.stdout, 65536)
    return (time.perf_counter() - start) * 1e6


def start_ms(sandbox: Sandbox, program: Program) -> tuple[float, float]:
    """Start to first answer, and kill until all is gone."""
    start = time.perf_counter()
    with spawn(sandbox.launch(program, Limits())) as process:
        round_trip_us(process)
        answered = time.perf_counter()
        process.kill()
        return (answered - start) * 1e3, (time.perf_counter() - answered) * 1e3


def measure(wanted: list[Sandbox], starts: int, trips: int) -> Iterator[str]:
    with bot_folder() as folder:
        program = Program(folder, (PYTHON, "-I", "-S", "bot.py"), core=max(os.sched_getaffinity(0)))
        taken = {sandbox.name: [start_ms(sandbox, program)] for sandbox in wanted}
        for _ in range(starts):
            for sandbox in wanted:
                taken[sandbox.name].append(start_ms(sandbox, program))
        trip = {sandbox.name: trips_us(sandbox, program, trips) for sandbox in wanted}
    bare_start = statistics.median(start for start, _ in taken["none"][1:])
    for name, times in taken.items():
        begun = statistics.median(start for start, _ in times[1:])
        killed = statistics.median(kill for _, kill in times[1:])
        yield (
            f"{name:<10} start {begun:7.1f} ms ({begun - bare_start:+6.1f})   kill {killed:6.1f} ms"
            f"   round trip {trip[name]:6.1f} us ({trip[name] / trip['none']:.2f} of bare)"
        )


def trips_us(sandbox: Sandbox, program: Program, trips: int) -> float:
    with spawn(sandbox.launch(program, Limits())) as process:
        return statistics.median(round_trip_us(process) for _ in range(trips))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("providers", nargs="*", default=["bwrap", "landlock"])
    parser.add_argument("--starts", type=int, default=100)
    parser.add_argument("--trips", type=int, default=20_000)
    options = parser.parse_args()
    known = sandboxes(build_manager())
    wanted = [known[name] for name in ("none", *options.providers)]
    for line in measure(wanted, options.starts, options.trips):
        print(line)


if __name__ == "__main__":
    main()
