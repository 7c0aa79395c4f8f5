"""Tournaments on real schedulers and workers: processes that talk over TCP on the loopback."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from arena import plugins
from arena.store import RunStore
from arena.tournament.cluster import local
from arena.tournament.config import check_tournament
from arena.tournament.folder import open_run
from arena.tournament.plan import Outcome
from arena.tournament.prepare import Tournament, prepare
from arena.tournament.runner import Summary, run

BOTS = [f"b{number}=random" for number in range(5)]


@dataclass
class Cluster:
    """A scheduler and the workers that were added to it."""

    address: str
    folder: Path
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def add(self, *arguments: str, env: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
        """One more worker of one slot, with a cache of its own."""
        cache = self.folder / f"cache-{len(self.workers)}"
        settings = {"XDG_CACHE_HOME": str(cache), **(env or {})}
        scratch = str(self.folder / "scratch")
        worker = local.start_worker(self.address, scratch, *arguments, env=settings)
        self.workers.append(worker)
        return worker


@contextmanager
def running_cluster(folder: Path, workers: int) -> Iterator[Cluster]:
    told = folder / "scheduler.json"
    scheduler = local.start_scheduler(told)
    cluster = Cluster(local.address_told(told, scheduler), folder)
    try:
        for _ in range(workers):
            cluster.add()
        yield cluster
    finally:
        local.dismiss([scheduler, *cluster.workers])


@pytest.fixture(scope="session")
def pair(tmp_path_factory) -> Iterator[Cluster]:
    """A cluster of two workers that no test harms."""
    with running_cluster(tmp_path_factory.mktemp("pair"), workers=2) as cluster:
        yield cluster


@pytest.fixture
def cluster(tmp_path) -> Iterator[Cluster]:
    """A scheduler alone, for a test to add workers to."""
    with running_cluster(tmp_path, workers=0) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def manager():
    return plugins.build_manager(entry_points=False)


@pytest.fixture
def tournament(manager, tmp_path) -> Callable[..., Tournament]:
    """Makes a tournament of five bots, two orbits; keywords change sections of its file."""

    def make(scheduler: str | None = None, **changes: Any) -> Tournament:
        content = {"bots": BOTS, "seed": "7", "schedule": {"orbits": 2}} | changes
        where = {"executor": "dask", "scheduler": scheduler} if scheduler else {}
        content["run"] = {"workers": 2} | where | content.get("run", {})
        file = check_tournament(content, where="test")
        return prepare(file, manager, cache=tmp_path / "cache")

    return make


class Heard:
    """A listener that remembers, and does something after each match."""

    def __init__(self, then: Callable[[], None] = lambda: None) -> None:
        self.matches: list[str] = []
        self.voids: list[str] = []
        self._then = then

    def finished(self, outcome: Outcome) -> None:
        self.matches.append(outcome.spec.match)
        self._then()

    def void(self, outcome: Outcome) -> None:
        self.voids.append(outcome.void)


@pytest.fixture
def heard() -> type[Heard]:
    return Heard


@pytest.fixture
def play() -> Callable[..., Summary]:
    """Plays a tournament into a folder."""

    def play(tournament: Tournament, folder: Path, listener: Heard | None = None) -> Summary:
        with open_run(tournament, folder) as (store, whole):
            return run(whole, store, listener=listener or Heard())

    return play


@pytest.fixture
def played_in() -> Callable[[Path], list[dict]]:
    """The records of a run folder without what the clock decided."""

    def read(folder: Path) -> list[dict]:
        with RunStore.read(folder) as store:
            records = list(store.records())
        for record in records:
            del record["started"], record["timing"]
        return records

    return read
