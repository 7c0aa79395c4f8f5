"""Hard limits of a tree, where the machine grants control groups (as root, at least)."""

from __future__ import annotations

import dataclasses
import os
import select
from pathlib import Path

import pytest

from arena.errors import SandboxError
from arena.process import spawn
from arena.sandbox.api import Limits, Program
from arena.sandbox.bubblewrap import Bubblewrap
from arena.sandbox.cgroups import Controller, GroupRoom, probe
from arena.sandbox.watch import Bounds, Watch, Watcher

PATIENCE_MS = 60_000.0


def groups(controller: Controller) -> list[Path]:
    """The groups of this process that are there now."""
    return list(controller.base.glob(f"arena-{os.getpid()}.*"))


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
    entrance, group = GroupRoom(controller, 64 << 20, 10).open()
    os.close(entrance)
    assert (group.path / controller.memory_limit).read_text().strip() == str(64 << 20)
    group.release()
    assert not group.path.exists()


def test_what_a_bot_pushes_into_swap_counts(controller):
    entrance, group = GroupRoom(controller, 64 << 20, 10).open()
    os.close(entrance)
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
    # No watcher's thread gets to see it: that would kill us.
    watch = Watch(0, -1, False, bounds, Watcher(), proc)
    held, _, _ = watch._measure()
    assert (held, watch._measure_shares(held, 8 << 20)) == (4104 << 10, 4104 << 10)
    os.close(proc)


def test_a_bot_is_in_a_group_of_its_own(controller, folder: Path):
    with spawn(Bubblewrap().launch(Program(folder, ("cat", "/proc/self/cgroup")), Limits())) as it:
        assert select.select([it.stdout], [], [], PATIENCE_MS / 1000)[0]
        assert f"/arena-{os.getpid()}." in os.read(it.stdout, 65536).decode()


def test_the_kernel_kills_what_passes_the_limit_of_its_group(controller, folder: Path):
    (folder / "hog.py").write_text(HOG)
    launch = Bubblewrap().launch(
        Program(folder, ("/usr/bin/python3", "hog.py")), Limits(memory_mb=128)
    )
    with spawn(dataclasses.replace(launch, guards=())) as process:
        end = process.exit(PATIENCE_MS)
    assert end is not None
    assert (end.memory, end.signal) == (True, 9)
    assert not groups(controller)


def test_starts_of_one_launch_have_a_group_each_and_a_launch_alone_has_none(
    controller, folder: Path
):
    launch = Bubblewrap().launch(Program(folder, ("sleep", "60")), Limits())
    assert not groups(controller)
    with spawn(launch) as first:
        with spawn(launch) as second:
            assert len(groups(controller)) == 2
            assert second.exit(0) is None
        assert len(groups(controller)) == 1
        assert first.exit(0) is None
    assert not groups(controller)
    with spawn(launch) as third:  # a raw FileNotFoundError, when the launch owned the group
        assert third.exit(0) is None


def test_a_group_that_cannot_be_made_is_a_sandbox_error_and_leaves_nothing(
    controller, folder: Path
):
    launch = Bubblewrap().launch(Program(folder, ("sleep", "60")), Limits())
    ((number, room),) = launch.rooms.items()
    no_entrance = dataclasses.replace(controller, entrance="no-such-file")
    lame = dataclasses.replace(room, controller=no_entrance)
    with pytest.raises(SandboxError, match="no-such-file: cannot be started"):
        spawn(dataclasses.replace(launch, rooms={number: lame}))
    assert not groups(controller)
