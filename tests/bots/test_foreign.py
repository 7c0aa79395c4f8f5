"""What an author or a build leaves in a bot's folder leads none of our writes astray."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.adapters.bhoos.adapter import BRIDGE_FILE, Bhoos
from arena.bots.build import BuildError, Workshop, build_bot
from arena.bots.compile import BuildLimits
from arena.bots.digest import copy_files, digest_of, list_files
from arena.bots.foreign import MAX_DEPTH
from arena.bots.resolve import resolve
from arena.cache import making_in
from arena.errors import ConfigError
from arena.removal import remove_tree
from arena.sandbox.bubblewrap import Bubblewrap
from arena.tournament.clock import SteadyClock

GONE = "is no longer a file"
PRECIOUS = "the organiser's own\n"


@pytest.fixture
def precious(tmp_path) -> Path:
    path = tmp_path / "precious"
    path.write_text(PRECIOUS)
    path.chmod(0o600)
    return path


@pytest.fixture
def workshop(tmp_path) -> Workshop:
    limits = BuildLimits(time_s=20)
    adapters = {"bhoos": Bhoos()}
    return Workshop(Bubblewrap(), tmp_path / "cache", SteadyClock(), limits, adapters)


@pytest.fixture
def author(tmp_path):
    """Makes the folder of a bot; `build` is a line of shell."""

    def write(*lines: str, build: str = "") -> Path:
        folder = tmp_path / "author"
        folder.mkdir()
        (folder / "build.sh").write_text(build)
        built = ['build = ["sh", "build.sh"]'] if build else []
        head = ['name = "plain"', 'version = "1"', 'run = ["sh", "build.sh"]']
        (folder / "bot.toml").write_text("\n".join([*head, *built, *lines]))
        return folder

    return write


def untouched(precious: Path) -> bool:
    status = precious.stat()
    return precious.read_text() == PRECIOUS and stat.S_IMODE(status.st_mode) == 0o600


@pytest.mark.parametrize("how", ["symbolic", "dangling"])
def test_the_bridge_is_written_through_no_link_of_a_bots(author, workshop, precious, how):
    folder = author('adapter = "bhoos"')
    target = precious if how == "symbolic" else precious.with_name("not-there")
    (folder / BRIDGE_FILE).symlink_to(target)
    with pytest.raises(ConfigError, match=r"\.arena-bhoos\.py.*give it another name"):
        build_bot(resolve(str(folder), folder), workshop)
    assert untouched(precious)
    assert not precious.with_name("not-there").exists()
    assert not list(workshop.cache.iterdir())


def test_the_bridge_is_written_through_no_link_that_a_build_left(author, workshop, precious):
    folder = author('adapter = "bhoos"', build=f"ln -s {precious} {BRIDGE_FILE}")
    with pytest.raises(ConfigError, match="give it another name"):
        build_bot(resolve(str(folder), folder), workshop)
    assert untouched(precious)


def test_a_bridge_that_a_bot_brings_itself_is_refused(author, workshop):
    folder = author('adapter = "bhoos"')
    (folder / BRIDGE_FILE).write_text("print('mine')")
    with pytest.raises(ConfigError, match="give it another name"):
        build_bot(resolve(str(folder), folder), workshop)


def test_no_link_that_a_build_left_is_changed_or_given_away(author, workshop, precious):
    shell = f"ln -s {precious} link; mkdir d; ln -s {precious.parent} d/up; ln -s ../d d/round"
    ready = build_bot(resolve(str(author(build=shell)), workshop.cache), workshop)
    assert untouched(precious)
    assert os.readlink(ready.folder / "link") == str(precious)
    assert stat.S_IMODE(precious.parent.stat().st_mode) == 0o700
    assert (ready.folder / "link").lstat().st_uid == os.getuid()


@pytest.mark.parametrize("swapped", ["link", "pipe", "folder"])
def test_a_file_swapped_before_it_is_copied_is_no_longer_a_file(
    author, tmp_path, precious, swapped
):
    folder = author()
    entries = list_files(folder)
    (folder / "build.sh").unlink()
    if swapped == "link":
        (folder / "build.sh").symlink_to(precious)
    elif swapped == "pipe":
        os.mkfifo(folder / "build.sh")
    else:
        (folder / "build.sh").mkdir()
    assert refusal(lambda: copy_files(folder, entries, tmp_path / "copy")) == GONE
    assert refusal(lambda: digest_of(folder, entries)) == GONE


def refusal(act: Callable[[], object]) -> str:
    """What the refusal says; empty if there is none within five seconds."""
    said: list[str] = []

    def listen() -> None:
        try:
            act()
        except ConfigError as error:
            said.append(error.what)

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    thread.join(5)
    return "".join(said)


def test_a_copy_never_writes_through_a_link_that_is_there(author, tmp_path, precious):
    folder = author()
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "build.sh").symlink_to(precious)
    with pytest.raises(FileExistsError):
        copy_files(folder, list_files(folder), copy)
    assert untouched(precious)


@pytest.mark.parametrize("mode", ["", "; chmod 0 d"])
def test_a_build_that_nests_folders_without_end_is_broken_and_leaves_nothing(
    author, workshop, mode
):
    shell = f"i=0; while [ $i -lt 1500 ]; do mkdir d; cd -P d; i=$((i+1)); done; : > x{mode}"
    with pytest.raises(BuildError, match=f"nested folders deeper than {MAX_DEPTH}"):
        build_bot(resolve(str(author(build=shell)), workshop.cache), workshop)
    assert [path.suffix for path in workshop.cache.iterdir()] == [".log"]


def test_a_bot_whose_own_folders_nest_without_end_is_refused(author):
    folder = author()
    deep = folder
    for _ in range(MAX_DEPTH + 1):
        deep = deep / "d"
        deep.mkdir()
    (deep / "x").write_text("")
    with pytest.raises(ConfigError, match=f"nest deeper than {MAX_DEPTH}"):
        list_files(folder)


def test_whatever_is_left_is_removed_without_following_a_link(tmp_path, precious):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "inside").write_text("stays")
    with making_in(tmp_path / "place", "making-") as making:
        making.mkdir()
        fd = os.open(making, os.O_RDONLY)
        for name in ["deep"] * 2000:
            os.mkdir(name, dir_fd=fd)
            os.symlink(kept, "link", dir_fd=fd)
            os.symlink(precious, "other", dir_fd=fd)
            inner = os.open(name, os.O_RDONLY, dir_fd=fd)
            os.close(fd)
            fd = inner
        os.close(fd)
        (making / "deep").chmod(0)
    assert not list((tmp_path / "place").iterdir())
    assert (kept / "inside").read_text() == "stays"
    assert untouched(precious)


def test_a_link_to_a_tree_goes_and_its_target_does_not(tmp_path, precious):
    (tmp_path / "link").symlink_to(precious.parent)
    remove_tree(tmp_path / "link")
    assert not (tmp_path / "link").is_symlink()
    assert untouched(precious)


def test_a_build_reads_end_of_file(author, workshop):
    folder = author(build="cat; echo done > made")
    ready = build_bot(resolve(str(folder), folder), workshop)
    assert (ready.folder / "made").read_text() == "done\n"
