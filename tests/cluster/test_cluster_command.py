"""`arena run … --executor dask` as an organiser types it: killed and gone on with, and over TLS."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.tournament.cluster import local

GUIDE = Path(__file__).parents[2] / "docs/guide/cluster.md"
RUN = (
    *(f"b{number}=random" for number in range(5)),
    *("--seed", "7", "--orbits", "20", "--deals", "1", "--out"),
)
MATCHES = 100


@pytest.fixture
def arena(tmp_path, commands):
    """`arena(*words)`: runs it in the test's folder, with a cache of its own."""

    def call(*words: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        env = {**(env or os.environ), "XDG_CACHE_HOME": str(tmp_path / "cache")}
        return commands.run(words, cwd=tmp_path, env=env)

    return call


@pytest.mark.slow
@pytest.mark.parametrize("kills", [2, pytest.param(6, marks=pytest.mark.long)])
def test_a_coordinator_killed_at_random_instants_goes_on_and_exports_the_same_bytes(
    arena, cluster, tmp_path, kills
):
    for _ in range(2):
        cluster.add()
    on_cluster = ("--executor", "dask", "--scheduler", cluster.address)
    chance, counts = random.Random(6), []
    for _ in range(kills):
        with subprocess.Popen(
            [sys.executable, "-m", "arena", "run", *RUN, "killed", *on_cluster, "--json-events"],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as coordinator:
            assert coordinator.stdout is not None
            for _ in range(chance.randint(2, 20)):
                coordinator.stdout.readline()
            time.sleep(chance.uniform(0, 0.1))
            coordinator.send_signal(signal.SIGKILL)
        counts.append(len(arena("export", "killed").stdout.splitlines()))
    assert counts == sorted(counts)
    assert 0 < counts[-1] < MATCHES
    assert arena("run", *RUN, "killed", *on_cluster).returncode == 0
    assert arena("run", *RUN, "local", "--workers", "2").returncode == 0
    killed, whole = (arena("export", name, "--no-timing").stdout for name in ("killed", "local"))
    assert len(whole.splitlines()) == MATCHES
    assert killed == whole


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl, which makes the keys, is missing")
def test_the_guides_recipe_for_tls_lets_in_who_has_a_key_and_nobody_else(
    arena, tmp_path, monkeypatch
):
    bare = dict(os.environ)
    for name, value in keys_made_as_the_guide_says(tmp_path).items():
        monkeypatch.setenv(name, value)
    told = tmp_path / "scheduler.json"
    crowd = [local.start_scheduler(told, "--protocol", "tls")]
    try:
        address = local.address_told(told, crowd[0])
        assert address.startswith("tls://")
        crowd.append(local.start_worker(address, str(tmp_path / "scratch")))
        words = ("run", *RUN, "run", "--orbits", "1", "--executor", "dask", "--scheduler")
        for refused in (address, address.replace("tls", "tcp")):
            stranger = arena(*words, refused, env=bare)
            assert stranger.returncode == 2, stranger.stderr
            assert "no scheduler answers" in stranger.stderr
            assert ("certificate" in stranger.stderr) == refused.startswith("tls")
            assert "Traceback" not in stranger.stderr
        played = arena(*words, address)
        assert played.returncode == 0, played.stderr
        assert len(arena("export", "run").stdout.splitlines()) == 5
    finally:
        local.dismiss(crowd)


def keys_made_as_the_guide_says(folder: Path) -> dict[str, str]:
    """Runs the guide's lines that make keys and tell of them; the variables that they export."""
    lines = GUIDE.read_text().splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("    openssl req -x509"))
    last = lines.index("    done", first)
    script = "\n".join(["set -e", *lines[first : last + 1], "exec env -0"])
    done = subprocess.run(
        ["sh", "-c", script], cwd=folder, capture_output=True, text=True, check=True
    )
    pairs = (entry.partition("=") for entry in done.stdout.split("\0"))
    return {name: value for name, _, value in pairs if name.startswith("DASK_")}
