"""What whole runs cost: workers, memory, resuming, starting, and a field of forty bots.

    python benchmarks/runs.py start      # `arena --version` against `python -c pass`
    python benchmarks/runs.py workers    # two workers against one
    python benchmarks/runs.py memory     # memory of every process, early and late in a long run
    python benchmarks/runs.py resume     # opening a folder of 100,000 matches again
    python benchmarks/runs.py field      # forty bots, some of them villains, 20,000 matches

Every line gives a ratio or a count that can be compared between machines; seconds are there to tell
how long it took.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import orjson

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "protocol")]

from arena.records import brief_of  # noqa: E402
from arena.store import Played, RunStore, packed  # noqa: E402
from arena.tournament.seeds import deal_set_seed  # noqa: E402

_PR_SET_CHILD_SUBREAPER = 36
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
WARM = 20
"""Orbits of eight bots after which every worker has every bot running in every seat: from there on
a run is steady, and what starting took drops out of a difference."""
BUNDLED = [
    "boss",
    "cautious",
    "counting",
    "high-low",
    "random",
    "rehearsing",
    "ruffing",
    "sampling",
]
VILLAINS = {
    "crashes": "raise SystemExit(3)",
    "illegal": "action = 'XX'",
    "silent": "import time; time.sleep(3600)",
    "floods": "print('x' * 100_000)",
}
VILLAIN = """\
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    action = message.get("legal", [None])[0]
    if message["type"] == "act" and message["kind"] == "play":
        {misdeed}
    print(json.dumps({{"id": message["id"], "action": action}}), flush=True)
"""


def arena(*words: object, folder: Path, quiet: bool = True) -> float:
    """Runs the command in the folder and gives its wall time in seconds."""
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "arena", *map(str, words)],
        cwd=folder,
        env=ENVIRONMENT,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL if quiet else None,
    )
    return time.perf_counter() - began


def start(folder: Path) -> None:
    """`arena --version` against an interpreter that does nothing, in turn."""
    times: dict[str, list[float]] = {"arena --version": [], "python -c pass": []}
    commands = {
        "arena --version": [sys.executable, "-m", "arena", "--version"],
        "python -c pass": [sys.executable, "-c", "pass"],
    }
    for _ in range(15):
        for name, command in commands.items():
            began = time.perf_counter()
            subprocess.run(command, env=ENVIRONMENT, check=True, stdout=subprocess.DEVNULL)
            times[name].append(time.perf_counter() - began)
    one, other = (statistics.median(seen) for seen in times.values())
    print(f"arena --version: {one * 1000:.0f} ms, python -c pass: {other * 1000:.0f} ms")
    print(f"ratio {one / other:.1f} (target: at most 10)")


def workers(folder: Path) -> None:
    """The same run with one worker and with two, three times in turn.

    Bots that answer in 20 µs are the worst case: what the coordinator does for a match counts most.
    """
    for bot, orbits in (("boss", 200), ("random", 40), ("rehearsing", 10)):
        _workers(folder, bot, [f"b{number}={bot}" for number in range(8)], orbits)
    _workers(folder, "bundled", BUNDLED, 20)


def _workers(folder: Path, field: str, bots: list[str], orbits: int) -> None:
    rates: dict[int, list[float]] = {1: [], 2: []}
    for attempt in range(3):
        for count in rates:
            out = folder / f"{field}-{count}-{attempt}"
            spent = {
                length: arena(
                    *("run", *bots, "--workers", count, "--orbits", length),
                    *("--seed", "speed", "--out", f"{out}-{length}"),
                    folder=folder,
                )
                for length in (WARM, WARM + orbits)
            }
            rates[count].append(8 * orbits / (spent[WARM + orbits] - spent[WARM]))
    one, two = (statistics.median(seen) for seen in rates.values())
    print(f"{field}: {one:.0f} matches/s with one worker, {two:.0f} with two")
    print(f"ratio {two / one:.2f} (target: at least 1.8)")


def memory(folder: Path) -> None:
    """Resident memory of every process of ours at match 1,000 and at match 10,000."""
    bots = [f"b{number}=boss" for number in range(5)]
    command = [
        *(sys.executable, "-m", "arena", "run", *bots, "--workers", "2", "--orbits", "2000"),
        *("--deals", "1", "--seed", "memory", "--out", "run", "--json-events"),
    ]
    seen: dict[int, dict[str, int]] = {}
    with subprocess.Popen(
        command, cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as run:
        assert run.stdout is not None
        for count, _ in enumerate(run.stdout):
            if count in (1_000, 9_990):
                seen[count] = _resident_kb(run.pid)
    early, late = seen[1_000], seen[9_990]
    for process in sorted(early):
        growth = late.get(process, 0) / early[process] - 1
        print(f"{process:<24} {early[process] / 1024:6.1f} MB  {growth:+.1%}")
    print("target: under 5 % from match 1,000 to match 10,000")


def _resident_kb(root: int) -> dict[str, int]:
    """Memory of a process and its children that run Python code of ours, by role and pid."""
    family = {root: "coordinator"}
    for place in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":\t", 1) for line in place.read_text().splitlines())
            if int(fields["PPid"]) == root and "spawn_main" in _arguments(place.parent):
                family[int(fields["Pid"])] = f"worker {fields['Pid'].strip()}"
        except (OSError, ValueError, KeyError):
            continue
    return {role: _rss_kb(pid) for pid, role in family.items()}


def _arguments(place: Path) -> str:
    return (place / "cmdline").read_bytes().decode(errors="replace")


def _rss_kb(pid: int) -> int:
    text = Path(f"/proc/{pid}/status").read_text()
    return int(next(line.split()[1] for line in text.splitlines() if line.startswith("VmRSS")))


def resume(folder: Path) -> None:
    """Starting a finished run of 100,000 matches again, until it says that nothing is missing."""
    bots = [f"b{number}=boss" for number in range(5)]
    words = ("run", *bots, "--seed", "resume", "--out", "run", "--orbits")
    arena(*words, 1, folder=folder)
    with RunStore.open(folder / "run") as store:
        template = next(store.records())
        rows = (_copy(template, number) for number in range(5, 100_000))
        while batch := [row for _, row in zip(range(1_000), rows, strict=False)]:
            store.add(batch)
        store.set_header({"segments": [{"bots": 5, "orbits": 20_000}]})
    size = (folder / "run" / "run.sqlite").stat().st_size
    script = (
        "import sys, time; from pathlib import Path; from arena.store import RunStore\n"
        "began = time.perf_counter()\n"
        "with RunStore.open(Path('run')) as store:\n"
        "    done = store.done(); placings = sum(1 for _ in store.placings(100))\n"
        "print(len(done), placings, time.perf_counter() - began)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        env=ENVIRONMENT,
        check=True,
        capture_output=True,
        text=True,
    )
    count, _, seconds = done.stdout.split()
    print(f"{int(count):,} matches, {size / 1e5:.0f} bytes a match")
    print(f"read for resuming in {float(seconds):.2f} s (target: 5 s)")


def _copy(template: dict[str, object], number: int) -> Played:
    deal_set, table = divmod(number, 5)
    match = f"{deal_set + 1}-{table + 1}"
    seed = deal_set_seed("resume", deal_set)
    record = {**template, "match": match, "set": str(deal_set), "seed": seed, "deal_set": deal_set}
    brief = orjson.dumps(brief_of(record))
    return Played(number, match, (0, 1, 2, 3), (1, 2, 3, 4), packed(orjson.dumps(record), brief))


def field(folder: Path, orbits: int = 500) -> None:
    """Forty bots, four of them villains, to the end: the board, the faults, what was left."""
    originals = ("boss", "rehearsing", "counting", "random", "cautious", "ruffing")
    bots = [f"{originals[n % 6]}-{n // 6}={originals[n % 6]}" for n in range(36)]
    for name, misdeed in VILLAINS.items():
        (folder / f"{name}.py").write_text(VILLAIN.format(misdeed=misdeed))
        bots.append(f"{name}.py")
    (folder / "forty.toml").write_text(
        f'name = "forty"\nseed = "forty bots"\nbots = {json.dumps(bots)}\n'
        f"[game]\ndeals = 1\n[schedule]\norbits = {orbits}\n"
        '[limits]\nmove_ms = 500\non_host_stall = "void"\n'
    )
    _adopt_orphans()
    seconds = arena("run", "forty.toml", "--out", "run", folder=folder, quiet=False)
    with RunStore.read(folder / "run") as store:
        records = list(store.records())
    faults = Counter(
        (r["seats"][f["seat"]]["bot"], f["kind"]) for r in records for f in r["faults"]
    )
    print(f"{len(records):,} matches of 40 bots in {seconds:.0f} s")
    for (bot, kind), count in faults.most_common():
        print(f"  {bot}: {count:,} x {kind}")
    print(f"processes left: {len(_children_left())}")
    board = json.loads((folder / "run" / "board.json").read_text())
    print("best:", ", ".join(row["bot"] for row in board["rows"][:5]))


def _adopt_orphans() -> None:
    """From now on whatever a run leaves behind becomes a child of this process."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _children_left() -> list[str]:
    """Children that still run, once those that have only to be reaped are."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass
    threads = Path("/proc/self/task").glob("*/children")
    return [child for thread in threads for child in thread.read_text().split()]


BENCHMARKS: dict[str, Callable[[Path], None]] = {
    "start": start,
    "workers": workers,
    "memory": memory,
    "resume": resume,
    "field": field,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("which", choices=BENCHMARKS, nargs="*", default=list(BENCHMARKS))
    for name in parser.parse_args().which:
        print(f"-- {name}")
        with tempfile.TemporaryDirectory() as folder:
            BENCHMARKS[name](Path(folder))


if __name__ == "__main__":
    main()
