"""A run that is killed again and again ends as if nobody had touched it."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time

import pytest

KILLS = 50
RUN = (
    *(f"b{number}=random" for number in range(5)),
    *("--seed", "no chance", "--orbits", "80", "--workers", "2", "--deals", "2"),
)
MATCHES = 400


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_run_killed_at_fifty_random_instants_exports_the_same_bytes(arena, tmp_path, cache):
    env = {**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "arena", "run", *RUN, "--out", "killed", "--json-events"]
    chance = random.Random(50)
    for kill in range(KILLS):
        with subprocess.Popen(
            command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as run:
            assert run.stdout is not None
            if kill % 3:  # after some matches, else at any instant of the start
                for _ in range(chance.randint(1, 8)):
                    run.stdout.readline()
            time.sleep(chance.uniform(0, 0.03 if kill % 3 else 1.5))
            run.send_signal(signal.SIGKILL)
    assert 50 < len(arena("export", "killed").stdout.splitlines()) < MATCHES
    arena("run", *RUN, "--out", "killed")
    arena("run", *RUN, "--out", "whole")
    killed, whole = (arena("export", name, "--no-timing").stdout for name in ("killed", "whole"))
    assert len(whole.splitlines()) == MATCHES
    assert killed == whole
    assert f"{MATCHES} records keep the rules" in arena("verify", "killed").stdout
