"""A game for two without chance, from a plugin outside the package, through the commands."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from arena.testing.game import check_game
from tests.e2e.conftest import environment

PLUGIN = Path(__file__).parents[2] / "examples" / "arena-connect-four" / "arena_connect_four.py"
BOT = """\
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        print(json.dumps({{"id": told["id"]}}), flush=True)
    elif "id" in told:
        print(json.dumps({{"id": told["id"], "action": {choice}}}), flush=True)
    elif told["type"] == "quit":
        break
"""
CHOICES = {
    "low": 'told["legal"][0]',
    "high": 'told["legal"][-1]',
    "middle": 'told["legal"][len(told["legal"]) // 2]',
}
GAME = ("--game", "connect-four", "--unsandboxed")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("four")
    for name, choice in CHOICES.items():
        (folder / f"{name}.py").write_text(BOT.format(choice=choice))
    return folder


@pytest.fixture(scope="module")
def arena(place, cache, commands):
    def run(*words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        env = {**environment(cache), "ARENA_PLUGINS": str(PLUGIN)}
        if not typed:
            return commands.run(words, cwd=place, env=env)
        command = [sys.executable, "-m", "arena", *words]
        return subprocess.run(
            command, cwd=place, env=env, input=typed, capture_output=True, text=True, timeout=120
        )

    return run


@pytest.fixture(scope="module")
def cup(arena, place):
    """Two orbits of three bots, and three more added to the run afterwards."""
    words = ("run", "low.py", "high.py", "middle.py", *GAME, "--out", "cup", "--orbits")
    for orbits in (("2",), ("5", "--extend")):
        done = arena(*words, *orbits)
        assert done.returncode == 0, done.stderr
    return place / "cup"


def test_the_example_keeps_the_interface_of_a_game(monkeypatch):
    monkeypatch.syspath_prepend(str(PLUGIN.parent))
    from arena_connect_four import ConnectFour

    check_game(ConnectFour())


def test_a_match_takes_as_many_bots_as_the_game_has_seats(arena):
    done = arena("match", "low.py", "middle.py", *GAME, "--watch", "--record", "two.jsonl")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("deal over: deal") == 2
    refused = arena("match", "low.py", "high.py", "middle.py", *GAME)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "a match has 2 seats, 3 bots were given (give 2 BOTs)" in refused.stderr


def test_a_run_seats_every_pair_both_ways_round_and_its_board_counts_all(arena, cup):
    board = json.loads((cup / "board.json").read_text())
    assert [row["matches"] for row in board["rows"]] == [20, 20, 20]
    assert {row["bot"] for row in board["rows"]} == set(CHOICES)
    for form in ("table", "md", "csv"):
        assert "middle" in arena("board", "cup", "--format", form).stdout
    lines = arena("export", "cup").stdout.splitlines()
    seats = [tuple(seat["bot"] for seat in json.loads(line)["seats"]) for line in lines]
    assert sorted(seats) == sorted(5 * [(a, b) for a in CHOICES for b in CHOICES if a != b])
    assert arena("verify", "cup").stdout.startswith("30 records keep the rules\n")


def test_a_repeated_table_is_one_observation_and_no_seed_is_shown_as_proof(arena, cup):
    assert "rest on 6 of 30 matches" in arena("board", "cup").stdout
    done = arena("run", "low.py", "high.py", *GAME, "--out", "told", "--seed", "7", "--json-events")
    assert done.returncode == 0, done.stderr
    assert "commitment" not in done.stdout
    assert "so short a seed" not in done.stderr


def test_a_forged_result_of_another_game_is_found(arena, place, cup):
    lines = arena("export", "cup").stdout.splitlines()
    forged = json.loads(lines[0])
    forged["scores"], forged["ranks"] = [2, 0], [1, 2]
    (place / "forged.jsonl").write_text("\n".join([json.dumps(forged), *lines[1:]]) + "\n")
    found = arena("verify", "forged.jsonl")
    assert found.returncode == 1
    assert "scores are not those of the actions" in found.stdout + found.stderr


def test_bench_check_and_regress_take_the_game(arena):
    assert "reproducible    yes" in arena("bench", "low.py", *GAME, "--matches", "2").stdout
    assert "fit to play" in arena("check", "low.py", *GAME).stdout
    told = arena("regress", "--candidate", "low.py", "--base", "low2=low.py", *GAME)
    assert (told.returncode, "identical on 32 deal sets" in told.stdout) == (0, True), told.stderr


def test_a_person_plays_any_game_from_a_list_of_actions(arena, place):
    typed = "9\n" + "1\n2\n3\n4\n5\n6\n7\n" * 30
    done = arena("play", "low.py", *GAME, "--record", "mine.jsonl", typed=typed)
    assert done.returncode == 0, done.stderr
    assert "'9' is not one of them" in done.stdout
    assert json.loads((place / "mine.jsonl").read_text())["person"] == 0
    refused = arena("play", "low.py", "high.py", *GAME)
    assert "1 bot plays against you, 2 bots were given (give 1 BOT)" in refused.stderr


def test_the_play_of_another_game_is_told_as_it_goes(arena):
    told = arena("match", "low.py", "middle.py", *GAME, "--watch").stdout.splitlines()
    assert told[:3] == [
        "deal 1  seat 0: drop 1",
        "deal 1  seat 1: drop 4",
        "deal 1  seat 0: drop 1",
    ]


def test_a_match_of_another_game_is_stepped_through(arena, cup):
    record = json.loads(arena("export", "cup").stdout.splitlines()[0])
    shown = arena("replay", "cup", record["match"])
    assert shown.returncode == 0, shown.stderr
    lines = shown.stdout.splitlines()
    drops = [int(line.rpartition(" ")[2]) for line in lines if ": drop " in line]
    assert drops == record["actions"]
    assert sum(line.startswith("deal over: ") for line in lines) == 2
    first, last = (record["seats"][0]["bot"], record["scores"][0])
    assert lines[-1].startswith(f"the match is over: {first} {last:g}, ")
    later = arena("replay", "cup", record["match"], "--deal", "2", "--trick", "3")
    assert later.stdout.startswith("deal 2, trick 3: ")
    refused = arena("replay", "cup", record["match"], "--deal", "3")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)


def test_a_decision_of_another_game_is_asked_again(arena, cup):
    record = json.loads(arena("export", "cup").stdout.splitlines()[0])
    bot = f"{record['seats'][1]['bot']}=middle.py"
    words = ("decide", "cup", record["match"], "--bot", bot, "--deal", "1", "--unsandboxed")
    done = arena(*words, "--trick", "4")
    assert done.returncode == 0, done.stderr
    assert "what seat 1 knows" in done.stdout
    asked = json.loads(arena(*words, "--trick", "6", "--json").stdout)
    assert (asked["recorded"], asked["asked_before"]) == (record["actions"][5], 2)
    assert asked["answered"] == asked["legal"][len(asked["legal"]) // 2]


def test_a_site_of_another_game_is_built(arena, cup):
    assert arena("site", "cup", "--out", "pages").returncode == 0
