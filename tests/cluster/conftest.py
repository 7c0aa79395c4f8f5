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
from arena.tournament.cluster import local
from arena.tournament.prepare import Tournament
from tests.tournament.played import make


@dataclass
class Cluster:
    """A scheduler and the workers that were added to it."""

    address: str
    folder: Path
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def add(
        self, *arguments: str, nanny: bool = False, env: dict[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """One more worker of one slot, with a cache of its own. A nanny is one process more, which
        starts the worker anew when it ends."""
        arguments += () if nanny else ("--no-nanny",)
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

    def on(scheduler: str | None = None, **changes: Any) -> Tournament:
        where = {"executor": "dask", "scheduler": scheduler} if scheduler else {}
        changes["run"] = where | changes.get("run", {})
        return make(manager, tmp_path / "cache", **changes)

    return on
