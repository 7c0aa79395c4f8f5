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
