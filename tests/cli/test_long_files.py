"""A file that is longer than anybody writes, or never ends, is one line and takes no memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.bounded import read_text
from arena.tournament.standing import MOST_BOTS, Standing

ENDLESS = Path("/dev/zero")


def arena(folder: Path, *words: object, memory_mb: int = 600) -> str:
    """What the command says in its one line, with so much memory and no more."""
    done = subprocess.run(
        ["prlimit", f"--data={memory_mb << 20}", sys.executable, "-m", "arena", *map(str, words)],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "XDG_CACHE_HOME": str(folder / "cache"),
        },
        stdin=ENDLESS.open("rb"),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    return done.stderr


def a_bot(folder: Path) -> Path:
    folder.mkdir()
    with (folder / "bot.toml").open("wb") as manifest:
        manifest.truncate(1 << 30)
    return folder


@pytest.mark.parametrize("command", ["run", "import-bhoos", "board", "verify", "replay"])
def test_a_file_that_never_ends_is_one_line(tmp_path, command):
    (tmp_path / "endless.toml").symlink_to(ENDLESS)
    told = arena(tmp_path, command, "endless.toml")
    assert "endless.toml" in told
    assert "longer than" in told


def test_a_pipe_that_never_ends_is_one_line(tmp_path):
    assert "longer than" in arena(tmp_path, "import-bhoos", "/dev/stdin")


@pytest.mark.parametrize("command", [("check", "--unsandboxed"), ("bench", "--unsandboxed")])
def test_a_manifest_of_a_gigabyte_is_one_line(tmp_path, command):
    bot = a_bot(tmp_path / "bot")
    assert f"{bot}/bot.toml: is longer than 1 MiB" in arena(tmp_path, *command, bot)


@pytest.mark.parametrize("name", ["Dockerfile", "package.json"])
def test_a_strange_file_of_an_existing_bot_is_one_line(tmp_path, name):
    (tmp_path / "bot").mkdir()
    with (tmp_path / "bot" / name).open("wb") as file:
        file.truncate(1 << 30)
    assert f"bot/{name}: is longer than" in arena(tmp_path, "new", "bot", "--from", "bhoos")
    (tmp_path / "bot" / name).unlink()
    os.mkfifo(tmp_path / "bot" / name)  # nobody writes: whoever waits, waits for ever
    assert "it cannot be told how" in arena(tmp_path, "new", "bot", "--from", "bhoos")


def test_a_file_up_to_the_limit_is_read_whole(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"\xef\xbb\xbf" + b"x" * 97)
    assert read_text(path, 100) == "x" * 97


def test_a_standing_of_ten_thousand_bots_keeps_no_square_of_them():
    standing = Standing([f"b{number}" for number in range(10_000)])
    standing.add((0, 1, 2, 3), (1, 2, 3, 4))
    assert standing.top(3) == []
    assert Standing(["a"] * MOST_BOTS).top(3) == []
