"""Odd worlds that do no harm: line ends, paths, locales, empty environments, time zones, crowds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.conftest import environment

BOT = """\
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        sys.stdout.write(json.dumps({"id": told["id"]}) + "\\r\\n")
    elif "id" in told:
        sys.stdout.write(json.dumps({"id": told["id"], "action": told["legal"][0]}) + "\\r\\n")
    sys.stdout.flush()
"""
MATCH = ("--deals", "1", "--record", "played.jsonl")


def played(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "played.jsonl").read_text().splitlines()]


@pytest.fixture
def crlf(tmp_path: Path) -> str:
    """A bot whose file and replies have CR LF at the end of each line."""
    (tmp_path / "crlf.py").write_bytes(BOT.replace("\n", "\r\n").encode())
    return "crlf.py"


def test_a_bot_written_with_cr_lf_plays(arena, tmp_path, crlf):
    arena("match", crlf, "random", "random", "random", *MATCH)
    assert not played(tmp_path)[0]["faults"]


@pytest.mark.parametrize("name", ["with space", "ö'$(touch oh)`", "-dash", "line\nfeed", "a=b"])
def test_a_bot_at_an_odd_path_plays(arena, tmp_path, crlf, name):
    folder = tmp_path / name
    folder.mkdir()
    (tmp_path / crlf).rename(folder / crlf)
    arena("match", f"./{name}/{crlf}", "random", "random", "random", *MATCH)
    assert not played(tmp_path)[0]["faults"]
    assert not list(tmp_path.glob("oh"))


@pytest.mark.parametrize(
    "changed",
    [
        {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0"},
        {"LC_ALL": "tr_TR.UTF-8"},
        {"TZ": "Asia/Kathmandu"},
        {"TZ": "no/such/zone"},
        {"PATH": "/usr/bin:/bin", "HOME": None, "LANG": None, "TERM": None, "USER": None},
    ],
    ids=["C", "tr", "Kathmandu", "no zone", "bare"],
)
def test_a_match_is_the_same_in_every_locale_zone_and_environment(
    commands, cache, tmp_path, changed
):
    env = {**environment(cache), **{key: value for key, value in changed.items() if value}}
    for key in [key for key, value in changed.items() if value is None]:
        env.pop(key, None)
    words = ["match", *["random"] * 4, "--seed", "7", *MATCH]
    done = commands.run(words, cwd=tmp_path, env=env)
    assert (done.returncode, done.stderr) == (0, "")
    (record,) = played(tmp_path)
    assert record["started"].endswith("Z")
    reference = commands.run(words, cwd=tmp_path, env=environment(cache))
    assert reference.returncode == 0
    _, again = played(tmp_path)
    assert (record["deals"], record["scores"]) == (again["deals"], again["scores"])


def test_many_writers_to_one_file_of_records_lose_nothing(cache, tmp_path):
    words = [sys.executable, "-m", "arena", "match", *["random"] * 4, "--unsandboxed", *MATCH]
    writers = [
        subprocess.Popen(words, cwd=tmp_path, env=environment(cache), stdout=subprocess.DEVNULL)
        for _ in range(6)
    ]
    assert [writer.wait(120) for writer in writers] == [0] * 6
    assert len({record["seed"] for record in played(tmp_path)}) == 6


def test_a_run_folder_that_was_moved_goes_on_where_it_stopped(arena, tmp_path):
    run = ("run", "random", "r2=random", "--deals", "1", "--unsandboxed", "--seed", "7")
    arena(*run, "--orbits", "1", "--out", "here")
    os.rename(tmp_path / "here", tmp_path / "there")
    arena(*run, "--orbits", "2", "--out", "there", "--extend")
    assert arena("verify", "there").stdout.startswith("4 records keep the rules")
    assert not (tmp_path / "here").exists()
