"""The bundled bots and every scaffold play whole matches under the real referee and sandbox."""

import json
import os
import warnings

import pytest

from arena.bots.bundled import bundled_bots, bundled_names, bundled_sdk
from arena.bots.resolve import resolve
from arena.bots.scaffold import LANGUAGES, write_scaffold
from arena.bots.toolchain import missing_toolchain


@pytest.fixture
def record_of(commands, cache, tmp_path):
    """The record of one match, as `arena match` writes it."""

    def play(bots, *options):
        words = ["match", *bots, "--seed", "5", "--record", "-", *options]
        env = {**os.environ, "XDG_CACHE_HOME": str(cache)}
        done = commands.run(words, cwd=tmp_path, env=env)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[0])

    return play


def without_lacking(bots):
    """The bots that this machine can build and run; a lack is reported by name."""
    resolved = {bot: resolve(bot, bundled_bots()) for bot in bots}
    lacks = {bot: lack for bot, it in resolved.items() if (lack := missing_toolchain(it))}
    for bot, lack in lacks.items():
        warnings.warn(f"left out: {bot}: {lack}", stacklevel=2)
    return [bot for bot in bots if bot not in lacks]


def fours(bots):
    """All of them in groups of four, the last filled up from the first."""
    return [(bots[i:] + bots)[:4] for i in range(0, len(bots), 4)]


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["master", "bhoos", "classic"])
def test_no_bundled_bot_commits_a_fault(record_of, variant):
    for table in fours(without_lacking(list(bundled_names(bundled_bots())))):
        record = record_of(table, "--variant", variant)
        assert record["faults"] == []
        assert [seat["bot"] for seat in record["seats"]] == table


@pytest.mark.slow
def test_no_new_bot_commits_a_fault(record_of, tmp_path):
    for language in LANGUAGES:
        write_scaffold(f"new-{language}", language, tmp_path / language, bundled_sdk())
    bots = without_lacking([str(tmp_path / language) for language in LANGUAGES])
    for table in fours(bots):
        assert record_of(table)["faults"] == []


@pytest.mark.slow
def test_the_same_seed_gives_the_same_record_but_for_its_times(record_of):
    table = without_lacking(["sampling", "rehearsing", "random", "counting"])
    table = (table + ["random"] * 4)[:4]
    records = [record_of(table, "--deals", "3") for _ in range(2)]
    assert records[0]["deals"] == records[1]["deals"]
    assert records[0]["scores"] == records[1]["scores"]
