"""Hard limits of a tree, where the machine grants control groups (as root, at least)."""

from __future__ import annotations

import dataclasses
import os
import select
from pathlib import Path

import pytest

from arena.process import spawn
from arena.sandbox.api import Limits, Program
from arena.sandbox.bubblewrap import Bubblewrap
from arena.sandbox.cgroups import Group, make_group, probe
from arena.sandbox.watch import Bounds, Watch, Watcher

PATIENCE_MS = 60_000.0

HOG = """
held = []
while len(held) < 40:
    held.append(bytearray(b"x") * (8 << 20))
print("held", flush=True)
"""


@pytest.fixture
def controller():
    if (found := probe()) is None:
        pytest.skip("no control groups are granted here: run as root, or in a delegated scope")
    return found


def test_a_group_has_its_limits_and_goes_when_it_is_released(controller):
    group = make_group(controller, 64 << 20, 10)
    assert (group.path / controller.memory_limit).read_text().strip() == str(64 << 20)
    group.release()
    assert not group.path.exists()


def test_what_a_bot_pushes_into_swap_counts(controller):
    group = make_group(controller, 64 << 20, 10)
    limit = group.path / controller.swap_limit
    if not limit.is_file():
        pytest.skip("this kernel keeps no account of swap, or has none")
    assert limit.read_text().strip() == (str(64 << 20) if controller.together else "0")
    group.release()


def test_a_watched_tree_s_memory_in_swap_counts(tmp_path: Path):
    (tmp_path / "7").mkdir()
    (tmp_path / "7" / "status").write_text("Name:\tbot\nRssAnon:\t 8 kB\nVmSwap:\t 4096 kB\n")
    rollup = "0-1 ---p 0 00:00 0 [rollup]\nPss_Anon: 8 kB\nSwap: 4096 kB\nSwapPss: 4096 kB\n"
    (tmp_path / "7" / "smaps_rollup").write_text(rollup)
    bounds, proc = Bounds(4 << 20), os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY)
    watch = Watch(0, os.pidfd_open(os.getpid()), False, bounds, Watcher(), proc)
    watch.watcher.add(watch)
    held, _, _ = watch._measure()
    assert (held, watch._measure_shares(held)) == (4104 << 10, 4104 << 10)
    watch.release()


def test_a_bot_is_in_a_group_of_its_own(controller, folder: Path):
    with spawn(Bubblewrap().launch(Program(folder, ("cat", "/proc/self/cgroup")), Limits())) as it:
        assert select.select([it.stdout], [], [], PATIENCE_MS / 1000)[0]
        assert f"/arena-{os.getpid()}." in os.read(it.stdout, 65536).decode()


def test_the_kernel_kills_what_passes_the_limit_of_its_group(controller, folder: Path):
    (folder / "hog.py").write_text(HOG)
    launch = Bubblewrap().launch(
        Program(folder, ("/usr/bin/python3", "hog.py")), Limits(memory_mb=128)
    )
    alone = tuple(guard for guard in launch.guards if isinstance(guard, Group))
    with spawn(dataclasses.replace(launch, guards=alone)) as process:
        end = process.exit(PATIENCE_MS)
    assert end is not None
    assert (end.memory, end.signal) == (True, 9)
    assert not alone[0].path.exists()
