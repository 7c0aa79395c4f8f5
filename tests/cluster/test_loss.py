"""Workers are killed, cut off and stopped: nothing is lost, counted twice, or left."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from arena.tournament.cluster import conductor
from arena.tournament.folder import open_run
from arena.tournament.runner import Stop, run
from tests.tournament.played import Heard, play, played_in


def children(pid: int) -> list[int]:
    found = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += [int(child) for child in (task / "children").read_text().split()]
    return found


def family(pid: int) -> set[int]:
    """All descendants of a process."""
    return {pid}.union(*(family(child) for child in children(pid))) if children(pid) else {pid}


def worker_process(nanny: subprocess.Popen[bytes]) -> int | None:
    """The process that works for a nanny; None while it is being started anew."""
    for child in children(nanny.pid):
        with suppress(OSError):
            if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                return child
    return None


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def await_death(pids: set[int], within_s: float = 60) -> set[int]:
    """Those that still live after that time."""
    deadline = time.monotonic() + within_s
    while any(map(is_alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return {pid for pid in pids if is_alive(pid)}


@pytest.mark.slow
@pytest.mark.parametrize("deaths", [5, pytest.param(20, marks=pytest.mark.long)])
def test_a_worker_killed_at_random_instants_loses_no_match_and_plays_none_twice(
    tournament, cluster, tmp_path, deaths
):
    crowd = [cluster.add(nanny=True) for _ in range(2)]
    chance, stop, kills, listener = random.Random(20), Stop(), [], Heard()
    over = threading.Event()

    def harass() -> None:
        while len(kills) < deaths:
            time.sleep(chance.uniform(0.2, 2.5))
            turn = len(kills) % 2
            if crowd[turn].poll() is not None:
                # A nanny starts its worker anew, but ends if the worker is killed before it has
                # ever joined, and if it cannot start another. Then somebody starts a new nanny.
                crowd[turn] = cluster.add(nanny=True)
            pid = worker_process(crowd[turn])
            if pid and listener.matches:
                os.kill(pid, signal.SIGKILL)
                kills.append(pid)
        while len(listener.matches) < 10:  # as many as are compared below, however long they take
            time.sleep(0.1)
        stop.asked = True
        over.wait()  # what this thread started dies with it

    killer = threading.Thread(target=harass, daemon=True)
    killer.start()
    ready = tournament(cluster.address, schedule={"orbits": 100_000})
    try:
        with open_run(ready, tmp_path / "run") as (store, whole):
            run(whole, store, listener=listener, stop=stop)
            assert len(kills) == deaths
            missing = set(range(max(store.done()) + 1)) - set(store.done())
            # Only what was lost three times over is void, and the run plays it when it goes on.
            assert missing <= {number for number, _ in store.voids()}
            again = Stop(asked=not missing)

            def then() -> None:
                again.asked = missing <= set(store.done())

            run(whole, store, listener=Heard(then=then), stop=again)
            assert missing <= set(store.done())
    finally:
        over.set()
    assert len(listener.matches) == len(set(listener.matches))
    play(tournament(), tmp_path / "local")
    assert played_in(tmp_path / "run")[:10] == played_in(tmp_path / "local")


@pytest.mark.slow
def test_nothing_of_a_killed_worker_is_left_and_a_run_without_workers_says_that_it_waits(
    tournament, cluster, tmp_path, caplog
):
    nanny = cluster.add()
    left: set[int] = set()

    def kill() -> None:
        if not left:
            left.update(family(nanny.pid))
            nanny.kill()
            cluster.add()

    assert play(tournament(cluster.address), tmp_path / "run", Heard(then=kill)).complete
    assert "waiting for workers, 600 s at most: the scheduler has none" in caplog.text
    assert len(left) >= 1 + 1 + 4  # the worker, a player, four bots
    assert not await_death(left - {nanny.pid})


@pytest.mark.slow
def test_a_worker_that_hangs_is_doubted_and_its_matches_are_played_elsewhere(
    tournament, cluster, tmp_path, monkeypatch, caplog
):
    monkeypatch.setattr(conductor, "PATIENCE_S", 1.0)
    monkeypatch.setattr(conductor, "PATIENCE", 1)
    for _ in range(2):
        cluster.add()
    stopped: list[int] = []
    listener = Heard(then=lambda: stop_first(listener, cluster, stopped))
    ready = tournament(cluster.address, schedule={"orbits": 12})
    try:
        assert play(ready, tmp_path / "run", listener).complete
    finally:
        for pid in stopped:  # who is stopped does not notice that its worker is killed
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
    assert stopped
    assert len(listener.matches) == len(set(listener.matches)) == 60
    assert "has finished nothing for" in caplog.text
    assert "played again elsewhere" in caplog.text


def stop_first(listener, cluster, stopped: list[int]) -> None:
    """Once both play: SIGSTOP for one whole worker. It keeps its connection and says nothing."""
    if not stopped and len(listener.matches) == 20:
        stopped.extend(family(cluster.workers[0].pid))
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)


@pytest.mark.slow
def test_a_killed_coordinator_leaves_no_bot_on_any_worker(cluster, tmp_path):
    worker = cluster.add()
    words = ["run", "a=random", "b=random", "c=random", "d=random", "--orbits", "9999"]
    where = ["--executor", "dask", "--scheduler", cluster.address, "--out", str(tmp_path / "run")]
    coordinator = subprocess.Popen([sys.executable, "-m", "arena", *words, *where])
    deadline = time.monotonic() + 60
    while len(family(worker.pid)) < 6 and time.monotonic() < deadline:
        time.sleep(0.1)
    players = family(worker.pid) - {worker.pid}
    assert len(players) >= 5
    coordinator.kill()
    coordinator.wait()
    assert not await_death(players)
    assert worker.poll() is None
