"""A test run shared among the cores: how many workers, what each plays, and when one is alone.

`./run test` starts three workers for two cores (pytest-xdist), since a quarter of the time tests
wait for a deadline or for a bot; a single file or test runs without workers.

* Tests that share something dear (a browser, a cluster, a finished run) go to one worker, so that
  it is made once. What several workers need is made by the first and found by the others.
* Tests marked `quiet` measure: while one runs, no other test does. Every test holds one lock
  together with all others, a quiet one holds it alone. Who wants it passes a door first, and a
  quiet test keeps the door shut: otherwise the others would hand the lock on among themselves.
* Long tests come first, so that no worker ends up with one of them when the others are done.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Generator, Iterable
from pathlib import Path

import pytest

DEAR = ("browser", "pair", "pages", "cup", "a_run")
"""Fixtures that take seconds to make."""

SLOW = "slow-tests"
"""The file that tells the one who shows the progress which tests take long."""


def size(config: pytest.Config) -> int:
    """The number of workers; 0 runs the tests in this process."""
    option = config.option
    alone = (
        option.collectonly
        or option.capture == "no"
        or getattr(option, "lf", False)
        or getattr(option, "failedfirst", False)
        or getattr(option, "stepwise", False)
        or "PYTEST_XDIST_WORKER" in os.environ  # tests run by a test
        or (config.args and all(".py" in argument for argument in config.args))
    )
    cores = len(os.sched_getaffinity(0))
    return 0 if alone else cores + max(1, cores // 2)


def group_of(item: pytest.Item) -> str | None:
    """The tests of one group run in one worker, one after the other."""
    if item.get_closest_marker("quiet"):
        return "quiet"
    return next((name for name in DEAR if name in getattr(item, "fixturenames", ())), None)


def arrange(items: list[pytest.Item]) -> None:
    """Slow tests come first, and each test is marked with its group."""
    for item in items:
        if group := group_of(item):
            item.add_marker(pytest.mark.xdist_group(group))
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def slow(items: Iterable[pytest.Item]) -> list[str]:
    return [item.nodeid for item in items if item.get_closest_marker("slow")]


def without_group(nodeid: str) -> str:
    """The name of a test without the group that pytest-xdist appends to it."""
    bare, _, group = nodeid.rpartition("@")
    return bare if group in (*DEAR, "quiet") else nodeid


class Turns:
    """Lets a quiet test run alone; lives in each worker."""

    def __init__(self, folder: Path) -> None:
        # Locks of the POSIX kind: what a test forks does not inherit them.
        self._door = (folder / "door").open("a+")
        self._room = (folder / "room").open("a+")
        self._alone = False

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Generator[None, object, object]:
        quiet = is_quiet(item)
        if not self._alone:
            fcntl.lockf(self._door, fcntl.LOCK_EX)
            fcntl.lockf(self._room, fcntl.LOCK_EX if quiet else fcntl.LOCK_SH)
            self._alone = quiet
            if not quiet:
                fcntl.lockf(self._door, fcntl.LOCK_UN)
        try:
            return (yield)
        finally:
            if not (self._alone and is_quiet(nextitem)):
                self._alone = False
                fcntl.lockf(self._room, fcntl.LOCK_UN)
                fcntl.lockf(self._door, fcntl.LOCK_UN)


def is_quiet(item: pytest.Item | None) -> bool:
    return item is not None and item.get_closest_marker("quiet") is not None


def made_once(place: Path, make: Callable[[Path], object]) -> Path:
    """The folder is there and whole: the first who asks makes it, others wait for that."""
    with place.with_name(f"{place.name}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = place.with_name(f"{place.name}.made")
        if not done.exists():
            place.mkdir(exist_ok=True)
            make(place)
            done.touch()
    return place
