"""A scheduler without workers: the run says so, ends at the first signal, and gives up in time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tournament.played import Heard, play

pytestmark = pytest.mark.slow


def run_without_workers(cluster, cwd: Path, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "arena", "run", "random", "counting", "boss", "greedy"]
    where = ["--executor", "dask", "--scheduler", cluster.address, "--out", "run", *words]
    env = {**os.environ, "XDG_CACHE_HOME": str(cwd / "cache")}
    return subprocess.Popen(
        [*command, *where], cwd=cwd, env=env, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
        text=True,
    )  # fmt: skip


def test_a_run_without_workers_says_so_and_gives_up_after_the_stated_time(cluster, tmp_path):
    with run_without_workers(cluster, tmp_path, "--set", "run.worker_wait_s=1") as run:
        said = run.communicate(timeout=120)[1]
    assert run.returncode == 2
    assert "waiting for workers, 1 s at most: the scheduler has none" in said
    *_, last = said.splitlines()
    assert last.startswith("arena: scheduler tcp://")
    assert "no worker came within 1 s (run.worker_wait_s) (start one with `dask worker" in last


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_without_workers_ends_at_the_first_signal(cluster, tmp_path, number):
    with run_without_workers(cluster, tmp_path) as run:
        assert run.stderr is not None
        while "waiting for workers" not in (line := run.stderr.readline()):
            assert line
        run.send_signal(number)
        said = run.stderr.read()
        assert run.wait(60) == 130
    assert "to go on: " in said
    assert "Traceback" not in said


@pytest.mark.skipif(os.getuid() != 0, reason="only root runs bots under a uid of their own")
def test_a_worker_whose_umask_hides_its_files_plays_all_the_same(tournament, cluster, tmp_path):
    before = os.umask(0o077)
    try:
        cluster.add()
    finally:
        os.umask(before)
    listener = Heard()
    assert play(tournament(cluster.address), tmp_path / "run", listener).complete
    assert listener.voids == []
