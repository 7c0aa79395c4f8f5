"""A disk that fills up is told by the file and with its mend; nothing half-made is in the way."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.e2e.conftest import environment

MEND = "free some disk space and start again"


@pytest.fixture(scope="module")
def played(tmp_path_factory, cache):
    """A run folder that is done."""
    folder = tmp_path_factory.mktemp("played")
    words = ("run", "random", "counting", "--orbits", "3", "--unsandboxed", "--out", "run")
    command = [sys.executable, "-m", "arena", *words]
    subprocess.run(command, cwd=folder, env=environment(cache), capture_output=True, check=True)
    return folder / "run"


@pytest.fixture
def on_full_disk(tmp_path, cache):
    """`on_full_disk(*words)`: runs `arena` in a folder of two pages; gives what was said, and what
    is in the folder when it was said."""
    bwrap = ("bwrap", "--dev-bind", "/", "/", "--size", "8192", "--tmpfs", str(tmp_path))
    if subprocess.run([*bwrap, "true"], capture_output=True, check=False).returncode:
        pytest.skip("bwrap cannot make a small disk here")

    def call(*words, **env):
        command = ("sh", sys.executable, "-m", "arena")
        script = '"$@"; status=$?; ls -A >&2; exit $status'
        done = subprocess.run(
            [*bwrap, "--chdir", str(tmp_path), "sh", "-c", script, *command, *map(str, words)],
            env=environment(cache) | env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 2, done.stderr
        told, *left = done.stderr.splitlines()
        return told, left

    return call


def test_pages_name_the_file_that_had_no_room(on_full_disk, played):
    told, _ = on_full_disk("site", played, "--out", "pages")
    assert told.startswith("arena: pages/")
    assert told.endswith(f"cannot be written: No space left on device ({MEND})")


def test_a_new_bot_is_whole_or_not_there(on_full_disk):
    told, left = on_full_disk("new", "mine", "--lang", "python")
    assert told == f"arena: mine: cannot be written: No space left on device ({MEND})"
    assert left == []


def test_an_export_says_how_to_mend_it(on_full_disk, played):
    told, _ = on_full_disk("export", played, "--out", "records.jsonl")
    assert told == f"arena: records.jsonl: cannot be written: No space left on device ({MEND})"


def test_a_transcript_that_has_no_room_leaves_nothing(on_full_disk):
    words = ("match", *["random"] * 4, "--unsandboxed", "--transcript", "t.jsonl")
    told, left = on_full_disk(*words)
    assert "t.jsonl: the transcript cannot be kept: No space left on device" in told
    assert left == []


def test_a_full_cache_is_told_with_its_place(on_full_disk, tmp_path):
    words = ("match", *["random"] * 4, "--unsandboxed")
    told, _ = on_full_disk(*words, XDG_CACHE_HOME=str(tmp_path))
    assert told.startswith(f"arena: {tmp_path}/callbreak-arena/bots: the cache cannot be written")
    assert "make room there, or set XDG_CACHE_HOME" in told
