"""Every table is pinned to one core, whoever plays it; tables share it if there are too few."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import SandboxError
from arena.sandbox.api import Level
from arena.tournament.cores import own_core, spread
from arena.tournament.prepare import report_of_run


@pytest.fixture(autouse=True)
def unpinned():
    before = os.sched_getaffinity(0)
    yield
    os.sched_setaffinity(0, before)


def test_no_core_is_claimed_twice_and_when_all_are_taken_one_is_shared(tmp_path):
    cores = os.sched_getaffinity(0)
    claimed = []
    with ExitStack() as stack:
        for _ in range(len(cores) + 1):
            os.sched_setaffinity(0, cores)
            claimed.append(stack.enter_context(own_core(tmp_path)))
    assert claimed[:-1] == sorted(cores)
    assert claimed[-1] in cores


def test_a_core_is_free_again_when_its_table_ends_and_we_may_run_anywhere(tmp_path):
    before = os.sched_getaffinity(0)
    for _ in range(2):
        with own_core(tmp_path) as core:
            assert os.sched_getaffinity(0) == {core}
        assert os.sched_getaffinity(0) == before


def test_a_folder_of_somebody_else_is_not_trusted_and_a_core_is_pinned_all_the_same(tmp_path):
    folder = Path("/")
    if os.getuid() == 0:
        folder = tmp_path / "theirs"
        folder.mkdir()
        os.chown(folder, 12345, 12345)
    with own_core(folder) as core:
        assert os.sched_getaffinity(0) == {core}
    assert not list(folder.glob("core-*"))


def test_more_tables_than_cores_share_them_evenly():
    cores = sorted(os.sched_getaffinity(0))
    assert spread(len(cores) + 1) == [*cores, cores[0]]


class Loose:
    """An executor that leaves its tables to the scheduler."""

    name = "loose"


def test_where_nothing_is_pinned_the_report_says_none_and_a_run_that_requires_it_is_refused(
    tournament,
):
    ready = tournament(sandbox={"name": "bwrap"})
    assert ready.report.level("cores") is Level.ENFORCED
    loose = report_of_run(ready.sandbox, Loose(), {})
    assert loose.level("cores") is Level.NONE
    assert replace(loose, capabilities=()) == replace(ready.report, capabilities=())
    with pytest.raises(SandboxError, match=r"cores is none, the run requires enforced .*`loose`"):
        report_of_run(ready.sandbox, Loose(), {"cores": Level.ENFORCED})
