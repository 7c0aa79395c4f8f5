"""Players on one machine share out its cores by themselves."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from arena.tournament.cluster.cores import claimed_core


@pytest.fixture(autouse=True)
def unpinned():
    before = os.sched_getaffinity(0)
    yield
    os.sched_setaffinity(0, before)


def test_no_core_is_claimed_twice_and_when_all_are_taken_one_plays_unpinned(tmp_path):
    cores = os.sched_getaffinity(0)
    claimed = []
    with ExitStack() as stack:
        for _ in range(len(cores) + 1):
            os.sched_setaffinity(0, cores)
            claimed.append(stack.enter_context(claimed_core(tmp_path)))
    assert claimed == [*sorted(cores), None]


def test_a_core_is_free_again_when_its_player_ends(tmp_path):
    for _ in range(2):
        with claimed_core(tmp_path) as core:
            assert os.sched_getaffinity(0) == {core}


def test_a_folder_of_somebody_else_is_not_trusted(tmp_path):
    folder = Path("/")
    if os.getuid() == 0:
        folder = tmp_path / "theirs"
        folder.mkdir()
        os.chown(folder, 12345, 12345)
    with claimed_core(folder) as core:
        assert core is None
