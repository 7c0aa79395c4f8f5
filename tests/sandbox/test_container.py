"""The container provider, where podman or docker runs."""

from __future__ import annotations

import json
import os
import select
from pathlib import Path

import pytest

from arena.errors import SandboxError
from arena.process import Exit, spawn
from arena.sandbox.api import Limits, Program
from arena.sandbox.choice import RANKED, lacks
from arena.sandbox.container import HOST_IMAGE, Container
from arena.sandbox.oci import profile
from arena.sandbox.seccomp import FILE_CHANGES, Policy
from arena.sandbox.syscalls import ARCHITECTURES

PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Container:
    container = Container(cache=tmp_path_factory.mktemp("cache"))
    if (why := container.unavailable()) is not None:
        pytest.skip(f"containers are not tried here: {why.reason} ({why.remedy})")
    return container


@pytest.mark.slow
@pytest.mark.quiet  # a watcher is slower than who hogs memory if others have both cores
def test_what_a_container_enforces_is_enough_for_a_ranked_run(sandbox: Container):
    assert lacks(sandbox, RANKED) is None


@pytest.mark.slow
def test_a_program_answers_and_its_status_is_told(sandbox: Container, folder: Path):
    (folder / "bot.sh").write_text("read line; echo got $line; exit 3\n")
    with spawn(sandbox.launch(Program(folder, ("sh", "bot.sh")), Limits())) as process:
        os.write(process.stdin, b"it\n")
        assert select.select([process.stdout], [], [], PATIENCE_S)[0]
        assert os.read(process.stdout, 100) == b"got it\n"
        assert process.exit(PATIENCE_S * 1000) == Exit(status=3)


@pytest.mark.slow
def test_an_image_that_is_not_there_is_our_failure(sandbox: Container, folder: Path):
    program = Program(folder, ("true",), image="localhost/no-such-image:1")
    with (
        spawn(sandbox.launch(program, Limits())) as process,
        pytest.raises(SandboxError, match="did not start"),
    ):
        process.exit(PATIENCE_S * 1000)


def test_without_an_engine_the_remedy_is_told(tmp_path: Path):
    why = Container(search_path=str(tmp_path)).unavailable()
    assert why is not None
    assert why.remedy == "apt install podman"


@pytest.mark.parametrize("architecture", ARCHITECTURES, ids=lambda a: a.machine)
def test_the_profile_says_what_the_filter_says(architecture):
    told = json.loads(profile(Policy(), architecture))
    refused = {name for entry in told["syscalls"] if "args" not in entry for name in entry["names"]}
    assert {"ptrace", "unshare", "io_uring_setup", "fchmod", "flock"} <= refused
    conditional = {name for entry in told["syscalls"] if "args" in entry for name in entry["names"]}
    assert {"clone", "mmap", "ioctl", "fcntl"} <= conditional
    builds = json.loads(profile(Policy(writable=True), architecture))
    allowed = {n for e in builds["syscalls"] for n in e["names"] if "args" not in e}
    assert not allowed & set(FILE_CHANGES.split())


@pytest.mark.parametrize(
    "image", ["--label=x=y", "-v/:/host", "dir:/etc", "docker://x", "a b", "x\n", "A", "x" * 300]
)
def test_no_word_of_a_bot_stands_where_an_engine_looks_for_options(
    sandbox: Container, folder: Path, image: str
):
    run = ("--volume=/:/host", "--user=0:0", HOST_IMAGE, "/bin/true")
    with pytest.raises(SandboxError, match="no reference to an image"):
        sandbox.launch(Program(folder, run, image=image), Limits())


@pytest.mark.slow
def test_what_follows_an_image_is_no_option(sandbox: Container, folder: Path):
    """They end at `--`, and an image comes before the words of a bot."""
    launch = sandbox.launch(
        Program(folder, ("--volume=/:/host", "/bin/true"), image="localhost/no-such-image:1"),
        Limits(),
    )
    assert launch.argv[-4:] == ("--", "localhost/no-such-image:1", "--volume=/:/host", "/bin/true")


def test_a_path_with_a_colon_is_no_second_path(sandbox: Container, tmp_path: Path):
    folder = tmp_path / "a:" / "etc"
    folder.mkdir(parents=True)
    with pytest.raises(SandboxError, match="colon"):
        sandbox.launch(Program(folder, ("true",)), Limits())
