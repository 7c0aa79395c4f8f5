"""Tournaments of real bots in the real sandbox, small enough for tests."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from functools import partial

import pytest

from arena import plugins
from arena.tournament.prepare import Tournament
from tests.tournament.played import make


@pytest.fixture(scope="session")
def manager():
    return plugins.build_manager(entry_points=False)


@pytest.fixture
def tournament(manager, tmp_path) -> Callable[..., Tournament]:
    """Makes a tournament of five bots, two orbits; keywords change sections of its file."""

    return partial(make, manager, tmp_path / "cache")


@pytest.fixture
def killed_worker() -> Callable[[], None]:
    """Kills one of the run's worker processes, the first time it is called."""
    killed: list[int] = []

    def kill() -> None:
        if not killed:
            worker = multiprocessing.active_children()[0]
            killed.append(worker.pid or 0)
            worker.kill()

    return kill
