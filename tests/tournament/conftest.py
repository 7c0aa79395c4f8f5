"""Tournaments of real bots in the real sandbox, small enough for tests."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena import plugins
from arena.tournament.config import check_tournament
from arena.tournament.prepare import Tournament, prepare

BOTS = [f"b{number}=random" for number in range(5)]


@pytest.fixture(scope="session")
def manager():
    return plugins.build_manager(entry_points=False)


@pytest.fixture
def tournament(manager, tmp_path) -> Callable[..., Tournament]:
    """Makes a tournament of five bots, two orbits; keywords change sections of its file."""

    def make(relative_to: Path = Path(), **changes: Any) -> Tournament:
        content = {"bots": BOTS, "seed": "7", "schedule": {"orbits": 2}} | changes
        content["run"] = {"workers": 2} | content.get("run", {})
        file = check_tournament(content, where="test")
        return prepare(file, manager, cache=tmp_path / "cache", relative_to=relative_to)

    return make


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
