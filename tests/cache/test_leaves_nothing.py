"""Whatever is killed, the next command leaves nothing of it: folders, groups, locks, leases."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from arena import scratch
from arena.sandbox.cgroups import probe
from tests.e2e.conftest import environment

PLACE = f"callbreak-arena-{os.getuid()}"
LONG = ("--orbits", "200", "--seed", "no chance", "--sandbox", "bwrap")
BOTS = [f"b{number}=random" for number in range(4)]

MAKER = """
import sys, time
from arena.scratch import scratch_folder
with scratch_folder("test") as folder:
    (folder / "file").touch()
    print(folder, flush=True)
    time.sleep(600)
"""


class World:
    """A temporary folder and a cache that nobody else has."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        self.cache = cache
        self.cwd = folder
        self.env = {**environment(cache), "TMPDIR": str(self.temporary)}

    def call(self, *words: str) -> str:
        command = [sys.executable, "-m", "arena", *words]
        return subprocess.run(
            command, cwd=self.cwd, env=self.env, check=True, capture_output=True, text=True
        ).stdout

    @contextmanager
    def started(self, *words: str):
        with subprocess.Popen(
            [sys.executable, *words],
            cwd=self.cwd,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    def left(self) -> list[str]:
        return [str(path.relative_to(self.temporary)) for path in self.temporary.rglob("*")]


@pytest.fixture
def world(tmp_path) -> World:
    return World(tmp_path, tmp_path / "cache")


@pytest.fixture(scope="module")
def warm(tmp_path_factory) -> Path:
    """A cache in which the sandbox's report is known already."""
    return tmp_path_factory.mktemp("warm")


@pytest.fixture
def warm_world(tmp_path, warm) -> World:
    return World(tmp_path, warm)


def test_a_killed_process_leaves_a_folder_and_the_next_command_does_not(world):
    with world.started("-c", MAKER) as maker:
        folder = Path(maker.stdout.readline().strip())
        world.call("rules")
        assert (folder / "file").exists()  # its owner lives
        maker.send_signal(signal.SIGKILL)
        assert maker.wait() == -signal.SIGKILL
    assert (folder / "file").exists()
    world.call("rules")
    assert world.left() == []


def test_a_killed_run_leaves_no_folder_no_process_and_no_group(warm_world):
    world = warm_world
    with world.started("-m", "arena", "run", *BOTS, *LONG, "--json-events", "--out", "r") as run:
        assert all(run.stdout.readline() for _ in range(2))  # it has begun, and played one
        assert processes_of(world)
        run.kill()
    wait_for(lambda: not processes_of(world))
    world.call("match", *BOTS, "--deals", "1", "--sandbox", "bwrap")
    assert world.left() == []
    assert groups_of(run.pid) == []
    assert list((world.cache / "callbreak-arena").rglob(f"lease-{run.pid}.*")) == []
    # Nor is there a lock in the way of whoever goes on.
    world.call("export", "r", "--out", "records")


def test_a_killed_cluster_leaves_nothing(warm_world):
    pytest.importorskip("distributed")
    world = warm_world
    cluster = ("--executor", "dask", "--workers", "1", "--json-events", "--out", "r")
    with world.started("-m", "arena", "run", *BOTS, *LONG, *cluster) as run:
        assert all(run.stdout.readline() for _ in range(2))  # it has begun, and played one
        kinds = {name.split("-")[0] for name in os.listdir(world.temporary / PLACE)}
        assert kinds == {"bundles", "cluster", "core", "packed"}
        run.kill()
    wait_for(lambda: not processes_of(world))
    assert world.left()
    world.call("rules")
    assert world.left() == []


def test_what_a_killed_process_was_making_in_the_cache_is_gone(world):
    kind = world.cache / "callbreak-arena/bots"
    dead = f"making-{dead_owner()}-x"
    (kind / dead / "made").mkdir(parents=True)
    (kind / f"making-{scratch.owner()}-x").mkdir()
    (kind / f"lease-{dead_owner()}").touch()
    (kind / "somebody's").mkdir()
    world.call("rules")
    assert {path.name for path in kind.iterdir()} == {
        f"making-{scratch.owner()}-x",
        "somebody's",
    }


def test_a_group_of_a_dead_harness_is_removed_and_of_a_living_one_is_not():
    if (controller := probe()) is None:
        pytest.skip("no control groups are granted here: run as root, or in a delegated scope")
    dead = controller.base / f"arena-{dead_owner()}-{'0' * 12}"
    mine = controller.base / f"arena-{scratch.owner()}-{'0' * 12}"
    dead.mkdir()
    mine.mkdir()
    try:
        probe()
        assert not dead.exists()
        assert mine.exists()
    finally:
        mine.rmdir()
        with suppress(FileNotFoundError):
            dead.rmdir()


def test_only_what_is_provably_of_a_dead_process_of_ours_is_swept(world):
    place = world.temporary / PLACE
    place.mkdir(mode=0o700)
    elsewhere = world.cwd / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "file").touch()
    dead = dead_owner()
    pid, started, _ = dead.split(".")
    kept = [
        f"test-{scratch.owner()}-alive",
        f"test-{pid}.{started}.{'0' * 8}-another_machine",
        f"test-{pid}.{started}",
        f"..-{dead}",
        "core-",
        "precious",
    ]
    for name in kept:
        (place / name).mkdir()
    (place / f"test-{dead}-link").symlink_to(elsewhere)
    if os.getuid() == 0:
        kept.append(f"test-{dead}-theirs")
        (place / kept[-1]).mkdir()
        os.chown(place / kept[-1], 12345, 12345)
    world.call("rules")
    assert sorted(os.listdir(place)) == sorted(kept)
    assert (elsewhere / "file").exists()


@pytest.mark.parametrize("planted", ["link", "writable", "theirs", "file"])
def test_a_place_that_is_not_ours_alone_is_neither_swept_nor_used(world, planted):
    place = world.temporary / PLACE
    target = world.cwd / "target"
    (target / f"test-{dead_owner()}-x").mkdir(parents=True)
    if planted == "link":
        place.symlink_to(target)
    elif planted == "file":
        place.touch()
        target = world.temporary
    else:
        target.rename(place)
        target = place
        if planted == "writable":
            place.chmod(0o777)
        elif os.getuid() != 0:
            pytest.skip("only root can give a folder away")
        else:
            os.chown(place, 12345, 12345)
    before = os.listdir(target)
    world.call("rules")
    assert os.listdir(target) == before
    with world.started("-c", MAKER) as maker:
        folder = Path(maker.stdout.readline().strip())
    assert folder.parent == world.temporary / f"{PLACE}-1"
    world.call("rules")
    assert not folder.parent.exists()


def test_no_place_at_all_is_one_line(world):
    for number in range(8):
        (world.temporary / (f"{PLACE}-{number}" if number else PLACE)).touch()
    done = subprocess.run(
        [sys.executable, "-m", "arena", "regress", "--base", "random", "--candidate", "random"],
        cwd=world.cwd,
        env=world.env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "TMPDIR" in done.stderr


def dead_owner() -> str:
    """The owner of things that a process made which has ended since."""
    code = "from arena.scratch import owner; print(owner())"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, "-c", code], env=env, stdout=subprocess.PIPE, check=True)
    return done.stdout.decode().strip()


def processes_of(world: World) -> list[int]:
    """Processes that were started with the temporary folder of this test, bots' own aside."""
    wanted = f"TMPDIR={world.temporary}\0".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if wanted in (folder / "environ").read_bytes():
                found.append(int(folder.name))
    return found


def groups_of(pid: int) -> list[Path]:
    controller = probe()
    return [] if controller is None else list(controller.base.glob(f"arena-{pid}.*"))


def wait_for(condition) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)
