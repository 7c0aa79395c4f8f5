"""`arena cache` says how large the cache is, and cuts it from under nobody."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from tests.e2e.conftest import environment

HOLDER = """
import sys, time
from pathlib import Path
from arena.cache import hold
print(hold(Path(sys.argv[1])), flush=True)
time.sleep(600)
"""
DAY_S = 86_400


@pytest.fixture
def arena(tmp_path):
    """`arena cache …` on a cache of its own; what it says in JSON."""

    def call(*words: str):
        done = subprocess.run(
            [sys.executable, "-m", "arena", "cache", "--json", *words],
            env=environment(tmp_path),
            stdout=subprocess.PIPE,
            check=True,
        )
        return json.loads(done.stdout)

    return call


@pytest.fixture
def bots(tmp_path):
    """Three entries of 100 kB, used ten, five and no days ago."""
    folder = tmp_path / "callbreak-arena/bots"
    found = []
    for number, days in enumerate((10, 5, 0)):
        entry = folder / (f"{number:x}" * 32)
        (entry / "bot").mkdir(parents=True)
        (entry / "bot/main").write_bytes(bytes(100_000))
        used = time.time() - days * DAY_S
        os.utime(entry, (used, used))
        found.append(entry)
    return found


def there(bots):
    return [entry.exists() for entry in bots]


def test_the_cache_tells_its_size_and_removes_nothing_unasked(arena, bots):
    told = arena()
    assert told["folder"] == str(bots[0].parent.parent)
    assert (told["entries"], told["kinds"]["bots"]["entries"]) == (3, 3)
    assert 300_000 <= told["bytes"] <= 400_000
    assert there(bots) == [True] * 3


def test_pruning_by_age_takes_what_was_not_used_for_so_long(arena, bots):
    told = arena("--prune", "--older-than", "7")
    assert told["removed"]["entries"] == 1
    assert there(bots) == [False, True, True]


def test_pruning_by_size_takes_what_was_used_longest_ago(arena, bots):
    told = arena("--prune", "--max-mb", "0")
    assert there(bots) == [False] * 3
    assert (told["entries"], told["bytes"]) == (0, 0)


def test_pruning_stops_at_the_size(arena, bots):
    (bots[1] / "bot/more").write_bytes(bytes(1_000_000))
    used = bots[0].stat().st_mtime
    os.utime(bots[1], (used - 1, used - 1))
    arena("--prune", "--max-mb", "1")
    assert there(bots) == [True, False, True]


def test_no_copy_is_pruned_from_under_a_living_process(arena, bots):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", HOLDER, str(bots[0])]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"True\n"
        told = arena("--prune")
        assert there(bots) == [True, False, False]
        assert (told["in_use"], told["removed"]["entries"]) == (1, 2)
        holder.send_signal(signal.SIGKILL)
    arena("--prune")
    assert there(bots) == [False] * 3


def test_a_match_goes_on_while_the_cache_is_pruned(tmp_path, arena):
    words = ["run", "a=random", "b=random", "c=counting", "d=random", "--orbits", "300"]
    words += ["--json-events", "--set", "run.restart=match", "--out", str(tmp_path / "r")]
    command = [sys.executable, "-m", "arena", *words]
    with subprocess.Popen(command, env=environment(tmp_path), stdout=subprocess.PIPE) as run:
        assert run.stdout is not None
        run.stdout.readline()
        assert arena("--prune")["in_use"] >= 2
        events = [json.loads(run.stdout.readline()) for _ in range(4)]
        run.kill()
    assert all("void" not in event.get("event", "") for event in events), events


def test_what_to_prune_is_said_with_prune_or_not_at_all(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "arena", "cache", "--max-mb", "1"],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "--prune" in done.stderr


def test_the_table_says_where_the_cache_is(tmp_path, bots):
    done = subprocess.run(
        [sys.executable, "-m", "arena", "cache"],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == f"in {bots[0].parent.parent}"
    assert "10 days ago" in done.stdout
