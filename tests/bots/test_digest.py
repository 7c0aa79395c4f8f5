"""The digest covers exactly the files that a bot plays with."""

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.bots.digest import MAX_FILES, copy_files, digest_of, list_files
from arena.errors import ConfigError


def digest(folder: Path) -> str:
    return digest_of(folder, list_files(folder))


@pytest.fixture
def folder(tmp_path):
    bot = tmp_path / "bot"
    (bot / "lib").mkdir(parents=True)
    (bot / "bot.py").write_text("print()\n")
    (bot / "lib" / "x.py").write_text("x = 1\n")
    return bot


def test_the_digest_is_the_documented_sum(folder):
    (folder / "go").write_text("#!")
    (folder / "go").chmod(0o755)
    (folder / "z").symlink_to("go")
    expected = hashlib.sha256(b"fbot.py\x008\x00print()\nxgo\x002\x00#!")
    expected.update(b"flib/x.py\x006\x00x = 1\nlz\x002\x00go")
    assert digest(folder) == expected.hexdigest()


@pytest.mark.parametrize(
    "change",
    [
        lambda f: (f / "bot.py").write_text("print(1)\n"),
        lambda f: (f / "bot.py").rename(f / "bat.py"),
        lambda f: (f / "bot.py").chmod(0o755),
        lambda f: (f / ".hidden").write_text(""),
        lambda f: (f / "lib" / "y").symlink_to("x.py"),
        lambda f: (f / "lib" / "x.py").unlink(),
    ],
)
def test_content_name_executable_bit_links_and_hidden_files_count(folder, change):
    before = digest(folder)
    change(folder)
    assert digest(folder) != before


def test_what_tools_leave_behind_does_not_count(folder):
    before = digest(folder)
    for left in (".git/config", "lib/__pycache__/x.pyc", "old.pyc", "target/CACHEDIR.TAG"):
        (folder / left).parent.mkdir(exist_ok=True)
        (folder / left).write_text("left")
    (folder / "target" / "bot").write_text("built")
    (folder / "empty").mkdir()
    (folder / "bot.py").chmod(0o600)
    os.utime(folder / "bot.py", (0, 0))
    assert digest(folder) == before


def test_a_copy_holds_the_same_files_and_no_other(folder, tmp_path):
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "bot.pyc").write_text("stale")
    (folder / "lib" / "link").symlink_to("../bot.py")
    copy_files(folder, list_files(folder), tmp_path / "copy")
    assert digest(tmp_path / "copy") == digest(folder)
    assert not (tmp_path / "copy" / "__pycache__").exists()
    assert (tmp_path / "copy" / "lib" / "link").is_symlink()


@settings(max_examples=30)
@given(
    st.dictionaries(
        st.from_regex(r"[a-c]{1,3}", fullmatch=True), st.binary(max_size=4), min_size=1
    ),
    st.dictionaries(
        st.from_regex(r"[a-c]{1,3}", fullmatch=True), st.binary(max_size=4), min_size=1
    ),
)
def test_two_folders_have_one_digest_only_if_their_files_are_equal(tmp_path_factory, first, second):
    digests = []
    for files in (first, second):
        folder = tmp_path_factory.mktemp("bot")
        for name, content in files.items():
            (folder / name).write_bytes(content)
        digests.append(digest(folder))
    assert (digests[0] == digests[1]) == (first == second)


def test_a_link_out_of_the_folder_is_refused(folder):
    (folder / "lib" / "inside").symlink_to("../bot.py")
    digest(folder)
    (folder / "lib" / "outside").symlink_to("../../secret")
    with pytest.raises(ConfigError, match="outside the bot's folder"):
        digest(folder)


def test_an_absolute_link_belongs_to_the_machine_and_is_not_followed(folder):
    (folder / "python").symlink_to("/usr/bin/python3")
    assert [e.kind for e in list_files(folder)] == ["f", "f", "l"]


def test_a_pipe_in_the_folder_is_refused(folder):
    os.mkfifo(folder / "pipe")
    with pytest.raises(ConfigError, match="neither file, folder nor link"):
        digest(folder)


def test_a_bot_that_is_too_large_is_refused(folder):
    with (folder / "sparse").open("wb") as file:
        file.truncate(600 * 1024 * 1024)
    with pytest.raises(ConfigError, match=f"larger than 512 MB or {MAX_FILES} files"):
        list_files(folder)
