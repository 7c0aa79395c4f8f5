"""Who cannot play is told by name and with the reason, and gets no match."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from distributed import Client

import arena
from arena import __version__, plugins
from arena.bots.bundle import Architecture
from arena.errors import SandboxError
from arena.lookup import pick
from arena.sandbox.api import Level
from arena.tournament.cluster import conductor, crew, ledger
from arena.tournament.cluster.assignment import Parcel
from arena.tournament.cluster.link import Link
from arena.tournament.cluster.player import shortcomings
from arena.tournament.cluster.stock import Stock
from arena.tournament.folder import open_run
from arena.tournament.runner import Stop, run
from tests.tournament.played import Heard, play, played_in

BRINGS_NO_SANDBOX = """
from arena.sandbox import bubblewrap
bubblewrap._bwrap = lambda: None
"""


@pytest.fixture
def asked(monkeypatch):
    """Everything that the coordinator asks of workers: (worker, function, its arguments)."""
    seen, ask = [], Link.ask

    async def listen(self, worker, gone, function, *arguments):
        seen.append((worker, function, arguments))
        return await ask(self, worker, gone, function, *arguments)

    monkeypatch.setattr(Link, "ask", listen)
    return seen


@pytest.fixture
def without_sandbox(tmp_path) -> dict[str, str]:
    """The environment of a machine without bubblewrap, as far as Python can tell."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(BRINGS_NO_SANDBOX)
    return {"PYTHONPATH": str(tmp_path / "site")}


@pytest.mark.slow
def test_a_worker_without_a_sandbox_is_refused_by_name_and_the_other_plays_all(
    tournament, cluster, tmp_path, caplog, asked, without_sandbox
):
    cluster.add("--name", "bare", env=without_sandbox)
    cluster.add()
    assert play(tournament(cluster.address), tmp_path / "run").complete
    refusal = next(r for r in caplog.records if "gets no match" in r.getMessage())
    address, reason = refusal.args
    assert "sandbox bwrap: bubblewrap is not installed (apt install bubblewrap)" in reason
    assert address not in {worker for worker, function, _ in asked if function is crew.play}


@pytest.mark.slow
def test_when_nobody_can_play_the_run_ends_with_every_reason(
    tournament, cluster, tmp_path, monkeypatch, without_sandbox
):
    monkeypatch.setattr(conductor, "HOPELESS_S", 1.0)
    cluster.add(env=without_sandbox)
    told = r"no worker of the cluster can play: tcp://\S+: sandbox bwrap: bubblewrap is not"
    with pytest.raises(SandboxError, match=told):
        play(tournament(cluster.address), tmp_path / "run")


@pytest.mark.slow
def test_a_worker_that_hangs_before_it_has_proved_itself_is_not_waited_for(
    tournament, cluster, tmp_path, monkeypatch
):
    monkeypatch.setattr(conductor, "HOPELESS_S", 1.0)
    monkeypatch.setattr(conductor, "ADMISSION_S", 2.0)
    worker = cluster.add()
    with Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(1, timeout=60)
    worker.send_signal(signal.SIGSTOP)
    try:
        with pytest.raises(SandboxError, match="it did not prove itself within 2 s"):
            play(tournament(cluster.address), tmp_path / "run")
    finally:
        worker.send_signal(signal.SIGCONT)


@pytest.mark.slow
def test_another_version_of_the_package_is_refused(tournament, cluster, tmp_path, monkeypatch):
    monkeypatch.setattr(conductor, "HOPELESS_S", 1.0)
    (tmp_path / "other" / "arena").mkdir(parents=True)
    (tmp_path / "other" / "arena" / "__init__.py").write_text('__version__ = "0.0.9"\n')
    command = [sys.executable, "-m", "distributed.cli.dask_worker", cluster.address, "--no-nanny"]
    scratch = ["--nthreads", "1", "--no-dashboard", "--local-directory", str(tmp_path / "scratch")]
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "other")}
    cluster.workers.append(subprocess.Popen([*command, *scratch], env=env, cwd=tmp_path))
    words = f"it has callbreak-arena 0.0.9, the coordinator {__version__}"
    with pytest.raises(SandboxError, match=words):
        play(tournament(cluster.address), tmp_path / "run")


@pytest.mark.slow
def test_each_bundle_is_sent_to_each_worker_once_and_never_again(
    tournament, cluster, tmp_path, asked
):
    for _ in range(2):
        cluster.add()
    with Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
    bots = ["a=random", "b=greedy", "c=cautious", "d=counting", "e=random"]
    ready = tournament(cluster.address, bots=bots, schedule={"orbits": 5})
    assert play(ready, tmp_path / "run").complete
    sent = Counter((w, arguments[1]) for w, function, arguments in asked if function is crew.keep)
    assert set(sent.values()) == {1}
    kinds = len({parcel.key for parcel in Stock(ready.plan, tmp_path).assignment("1").parcels})
    assert kinds == 4
    workers = {w for w, function, _ in asked if function is crew.play}
    assert len(workers) == 2
    assert len(sent) == kinds * len(workers)
    asked.clear()
    assert play(ready, tmp_path / "again").complete
    assert not [function for _, function, _ in asked if function is crew.keep]


@pytest.mark.slow
def test_bots_are_built_where_they_play_if_so_set(tournament, pair, tmp_path):
    folder = tmp_path / "built"
    folder.mkdir()
    source = Path(arena.__file__).parent.parent / "bots" / "random"
    for path in source.iterdir():
        if path.is_file() and path.name != "bot.toml":
            (folder / f"{path.name}.in").write_bytes(path.read_bytes())
    (folder / "bot.toml").write_text(
        'name = "built"\nversion = "1"\nrun = ["python3", "bot.py"]\n'
        """build = ["sh", "-c", "for f in *.in; do cp $f ${f%.in}; done"]\n"""
    )
    bots = [str(folder), "a=random", "b=random", "c=random"]
    shipped = tournament(pair.address, bots=bots, run={"ship": "source"})
    assert not any(bot.ready for bot in shipped.plan.bots)
    assert play(shipped, tmp_path / "there").complete
    assert play(tournament(bots=bots), tmp_path / "here").complete
    assert played_in(tmp_path / "there") == played_in(tmp_path / "here")
    assert not any(record["faults"] for record in played_in(tmp_path / "there"))


@pytest.mark.slow
def test_a_worker_that_starves_its_bots_is_set_aside_and_its_timeouts_are_played_again(
    tournament, cluster, tmp_path, monkeypatch, caplog, asked
):
    monkeypatch.setattr(ledger, "LOOK", 3)
    monkeypatch.setattr(conductor, "MOST_A_TASK", 1)
    slow = tmp_path / "slow"
    slow.mkdir()
    (slow / "python3").write_text(f'#!/bin/sh\nsleep 4.5\nexec {sys.executable} "$@"\n')
    (slow / "python3").chmod(0o755)
    cluster.add()
    stop = Stop()

    def accusations() -> list[logging.LogRecord]:
        told = [each for each in caplog.records if "bots timed out in" in each.getMessage()]
        # The first worker is as slow as the machine, which may be slow enough to be accused too.
        return [each for each in told if each.args[0] != asked[0][0]]

    def then() -> None:
        if len(cluster.workers) == 1:
            cluster.add(env={"PATH": f"{slow}:{os.environ['PATH']}"})
        stop.asked = bool(accusations())
        time.sleep(0.1)  # the other worker need not play hundreds of matches meanwhile

    ready = tournament(
        cluster.address,
        schedule={"orbits": 100_000},
        limits={"start_ms": 4000},
        sandbox={"name": "none"},
    )
    with open_run(ready, tmp_path / "run") as (store, whole):
        run(whole, store, listener=Heard(then=then), stop=stop)
        assert store.done() == set(range(store.count()))
    accused = accusations()[0].args[0]
    given = [(w, set(a[1])) for w, function, a in asked if function is crew.play]
    by_accused = set().union(*(specs for worker, specs in given if worker == accused))
    elsewhere = set().union(*(specs for worker, specs in given if worker != accused))
    assert by_accused
    assert by_accused <= elsewhere


@pytest.fixture
def proof(tournament, manager, tmp_path):
    """What a player finds missing on this machine, for a changed assignment."""
    ready = tournament()
    assignment = Stock(ready.plan, tmp_path).assignment(ready.game.version)

    def prove(**changes):
        plan = {k: v for k, v in changes.items() if k not in ("rules", "parcels")}
        rest = {k: v for k, v in changes.items() if k in ("rules", "parcels")}
        changed = replace(assignment, plan=replace(assignment.plan, **plan), **rest)
        sandbox = pick(plugins.sandboxes(manager), changed.plan.sandbox, "sandbox")
        return shortcomings(changed, ready.game, sandbox)

    return prove


def test_a_machine_that_has_all_that_is_needed_lacks_nothing(proof):
    assert proof() == ()


def test_a_sandbox_that_enforces_too_little_is_told(proof):
    (told,) = proof(sandbox="none", required={"network": Level.ENFORCED})
    assert "sandbox none: network is none, the run requires enforced" in told


def test_other_rules_are_told(proof):
    (told,) = proof(rules="0")
    assert "of the rules, not 0" in told


def test_machine_code_for_another_machine_is_told_once(proof):
    alien = Parcel("0" * 64, Architecture("riscv64", "glibc", (2, 36)))
    (told,) = proof(parcels=(alien,) * 5)
    assert "bot b0 is machine code for riscv64 glibc 2.36" in told
    assert 'ship = "source"' in told


def test_a_missing_toolchain_is_told_once_for_all_its_bots(proof, tournament):
    bots = tuple(replace(bot, run=("no-such-node", "bot.js")) for bot in tournament().plan.bots)
    (told,) = proof(bots=bots)
    assert told.startswith("bot b0: no-such-node: ")


def test_a_program_of_the_organisers_toolchain_is_not_missing(proof, tournament, tmp_path):
    tool = tmp_path / "tools" / "bin" / "tool"
    tool.parent.mkdir(parents=True)
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    plan = tournament().plan
    bots = tuple(replace(bot, run=(str(tool),)) for bot in plan.bots)
    (told,) = proof(bots=bots)
    assert "lies in no toolchain" in told
    assert proof(bots=bots, limits=replace(plan.limits, toolchains=(tmp_path / "tools",))) == ()


def test_what_a_bridge_shows_and_needs_must_be_there(proof, tournament):
    bots = tournament().plan.bots
    (told,) = proof(bots=(replace(bots[0], shows=(Path("/no/such/venv"),)), *bots[1:]))
    assert "/no/such/venv is missing" in told
    (told,) = proof(bots=(replace(bots[0], needs=("no-such-node",)), *bots[1:]))
    assert "no-such-node" in told
