"""A bot arrives as it left, whoever packs it, or not at all."""

from __future__ import annotations

import io
import os
import shutil
import tarfile
from pathlib import Path

import pytest

from arena.bots.bot import Bot
from arena.bots.bundle import Architecture, bundle_of, pack, unpack
from arena.bots.digest import digest_of, list_files
from arena.errors import ConfigError, StoreError
from arena.records import BotId


def bot_in(folder: Path, *, ready: bool = True) -> Bot:
    digest = digest_of(folder, list_files(folder))
    return Bot(BotId("b", "1", digest), folder, ("./run",), ready=ready)


@pytest.fixture
def folder(tmp_path) -> Path:
    folder = tmp_path / "bot"
    (folder / "target").mkdir(parents=True)
    (folder / "run").write_text("#!/bin/sh\n")
    (folder / "run").chmod(0o755)
    (folder / "data").write_bytes(bytes(range(256)) * 100)
    (folder / "link").symlink_to("data")
    (folder / "target" / "CACHEDIR.TAG").write_text("tag")
    (folder / "target" / "made").write_text("made by a build")
    return folder


def packed(bot: Bot, path: Path) -> Path:
    with path.open("wb") as file:
        pack(bundle_of(bot), file)
    return path


def test_a_bundle_arrives_as_it_left(folder, tmp_path):
    bot, place = bot_in(folder), tmp_path / "there" / "place"
    bundle = bundle_of(bot)
    unpack(packed(bot, tmp_path / "packed"), bundle.key, place)
    assert (place / "target" / "made").read_text() == "made by a build"
    assert os.readlink(place / "link") == "data"
    assert os.access(place / "run", os.X_OK)
    assert not os.access(place / "data", os.X_OK)
    assert (place / "data").read_bytes() == (folder / "data").read_bytes()
    assert {path.stat().st_mode & 0o444 for path in place.rglob("*")} == {0o444}


def test_the_key_depends_on_the_content_alone(folder, tmp_path):
    bot = bot_in(folder)
    shutil.copytree(folder, tmp_path / "copy", symlinks=True)
    copy = bot_in(tmp_path / "copy")
    os.utime(copy.folder / "data", (1, 1))
    assert bundle_of(copy).key == bundle_of(bot).key
    (copy.folder / "data").chmod(0o755)
    assert bundle_of(copy).key != bundle_of(bot).key


def test_of_a_bot_to_be_built_only_its_sources_travel(folder):
    assert bundle_of(bot_in(folder, ready=False)).names == ("data", "link", "run")


def test_sources_that_changed_after_they_were_named_do_not_travel(folder):
    bot = bot_in(folder, ready=False)
    (folder / "data").write_text("other")
    with pytest.raises(ConfigError, match="changed"):
        bundle_of(bot)


def test_a_bundle_that_is_not_what_its_key_says_is_refused(folder, tmp_path):
    path = packed(bot_in(folder), tmp_path / "packed")
    with pytest.raises(StoreError, match="not what its key says"):
        unpack(path, "0" * 64, tmp_path / "place")
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(StoreError, match="cannot be unpacked"):
        unpack(path, "0" * 64, tmp_path / "place")
    assert not (tmp_path / "place").exists()


def test_machine_code_is_recognised_and_runs_on_its_own_architecture_and_later_libraries(folder):
    assert bundle_of(bot_in(folder)).native is None
    shutil.copy("/bin/true", folder / "run")
    native = bundle_of(bot_in(folder)).native
    assert native is not None
    assert native.runs(native)
    made = Architecture("x86_64", "glibc", (2, 36))
    assert Architecture("x86_64", "glibc", (2, 41)).runs(made)
    assert not Architecture("x86_64", "glibc", (2, 31)).runs(made)
    assert not Architecture("x86_64", "musl", (2, 41)).runs(made)
    assert not Architecture("aarch64", "glibc", (2, 36)).runs(made)


def tampered(path: Path, *members: tuple[str, bytes, str]) -> Path:
    """A bundle with these members: name, kind, content or target."""
    with tarfile.open(path, "w:gz") as tar:
        for name, kind, text in members:
            member = tarfile.TarInfo(name)
            member.type = kind
            if kind == tarfile.REGTYPE:
                member.size = len(text)
                tar.addfile(member, io.BytesIO(text.encode()))
            else:
                member.linkname = text
                tar.addfile(member)
    return path


@pytest.mark.parametrize("name", ["../outside", "/{}/outside", "up/outside"])
def test_no_member_of_a_bundle_is_written_outside_its_folder(tmp_path, name):
    members = [
        ("up", tarfile.SYMTYPE, str(tmp_path)),
        (name.format(tmp_path), tarfile.REGTYPE, "planted"),
    ]
    with pytest.raises(StoreError):
        unpack(tampered(tmp_path / "packed", *members), "0" * 64, tmp_path / "there" / "place")
    assert not list(tmp_path.rglob("outside"))


def test_a_bundle_holds_files_and_links_and_nothing_else(tmp_path):
    packed = tampered(tmp_path / "packed", ("pipe", tarfile.FIFOTYPE, ""))
    with pytest.raises(StoreError, match="neither file nor link"):
        unpack(packed, "0" * 64, tmp_path / "there" / "place")


def test_two_names_of_one_file_arrive_as_two_files(folder, tmp_path):
    os.link(folder / "data", folder / "again")
    bot = bot_in(folder)
    unpack(packed(bot, tmp_path / "packed"), bundle_of(bot).key, tmp_path / "t" / "place")
    assert (tmp_path / "t" / "place" / "again").read_bytes() == (folder / "data").read_bytes()
