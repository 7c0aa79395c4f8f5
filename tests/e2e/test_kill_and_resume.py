"""A run that is killed again and again ends as if nobody had touched it."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time

import pytest

RUN = (
    *(f"b{number}=random" for number in range(5)),
    *("--seed", "no chance", "--workers", "2", "--deals", "2", "--orbits"),
)
ORBIT = 5
"""Matches."""


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("kills", "orbits"), [(6, 14), pytest.param(50, 80, marks=pytest.mark.long)]
)
def test_a_run_killed_at_random_instants_exports_the_same_bytes(
    arena, tmp_path, cache, kills, orbits
):
    run_words, matches = (*RUN, str(orbits)), orbits * ORBIT
    env = {**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "arena", "run", *run_words]
    command += ["--out", "killed", "--json-events"]
    chance = random.Random(50)
    for kill in range(kills):
        with subprocess.Popen(
            command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as run:
            assert run.stdout is not None
            if kill % 3:  # after some matches, else at any instant of the start
                for _ in range(chance.randint(1, 6)):
                    run.stdout.readline()
            time.sleep(chance.uniform(0, 0.03 if kill % 3 else 1.5))
            run.send_signal(signal.SIGKILL)
    assert kills < len(arena("export", "killed").stdout.splitlines()) < matches
    arena("run", *run_words, "--out", "killed")
    arena("run", *run_words, "--out", "whole")
    killed, whole = (arena("export", name, "--no-timing").stdout for name in ("killed", "whole"))
    assert len(whole.splitlines()) == matches
    assert killed == whole
    assert f"{matches} records keep the rules" in arena("verify", "killed").stdout
