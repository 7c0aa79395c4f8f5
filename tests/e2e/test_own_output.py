"""What `arena` writes in the folder of a bot makes no other bot of it."""

from __future__ import annotations

import json
import shutil

import pytest

from arena.bots.bundled import bundled_bots
from arena.bots.digest import digest_of, list_files

QUICK = ("--deals", "1")
RUN = ("run", ".", "random", "--orbits", "1", *QUICK)
TEST = ("regress", "--base", "random", "--candidate", ".", "--max-sets", "32", "--seed", "7")


@pytest.fixture
def bot(tmp_path):
    """The folder in which `arena` is started, and which is a bot."""
    shutil.copytree(bundled_bots() / "counting", tmp_path, dirs_exist_ok=True)
    return tmp_path


def digest(bot) -> str:
    return digest_of(bot, list_files(bot))


def test_a_run_in_the_folder_of_a_bot_goes_on_and_the_bot_stays_the_same(bot, arena):
    before = digest(bot)
    arena(*RUN)
    (made,) = (bot / "runs").iterdir()
    assert {"run.sqlite", "board.md"} <= {path.name for path in made.iterdir()}
    assert digest(bot) == before
    arena(*RUN)
    arena("export", str(made), "--out", "/dev/null")


def test_a_test_in_the_folder_of_a_bot_goes_on_from_its_run_folder(bot, arena):
    before = digest(bot)
    for _ in range(2):
        arena(*TEST, "--out", "test", status=3)
    assert digest(bot) == before


@pytest.mark.parametrize(
    "words",
    [
        ("match", ".", "random", "random", "random", "--record", "record.jsonl"),
        ("match", "a=.", "random", "random", "random", "--transcript", "deep/all.jsonl"),
        ("play", "random", "./bot.toml", "random"),
        (*TEST, "--json", "verdict.json"),
        (*TEST, "--out", "."),
        (*RUN, "--out", "../{0}"),
    ],
    ids=lambda words: "-".join(words[:1] + words[-2:]),
)
def test_what_would_become_part_of_the_bot_is_refused_beforehand(bot, arena, words):
    files = sorted(bot.rglob("*"))
    told = arena(*(word.format(bot.name) for word in words), status=2).stderr
    assert "would become part of the bot" in told
    assert str(bot) in told
    assert told.count("\n") == 1
    assert sorted(bot.rglob("*")) == files


def test_a_record_goes_to_a_device_or_stdout_from_the_folder_of_a_bot(bot, arena):
    match = ("match", ".", "random", "random", "random", *QUICK, "--record")
    assert json.loads(arena(*match, "-").stdout)["seats"][0]["digest"] == digest(bot)
    arena(*match, "/dev/null")
