"""`arena decide`: a bot is led through a match and asked one decision again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from tests.replay.conftest import play_match

pytestmark = pytest.mark.slow

BOT = """
import json, sys
seen = []
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"id":0}', flush=True)
    elif message["type"] == "start":
        seen.append(("start", message["seat"], message["match"]))
    elif message["type"] == "deal_over":
        seen.append(("deal_over", message["deal"]))
    elif message["type"] == "act":
        seen.append(message["kind"])
        state = message["state"]
        print("\\x1b[31mdecision", len(seen), file=sys.stderr, flush=True)
        if state["deal"] == 2 and len(state.get("tricks", ())) == 9 and BREAK_DOWN:
            sys.exit(7)
        note = json.dumps([seen[0], ["deal_over", 1] in [list(s) for s in seen], len(seen)])
        reply = {"id": message["id"], "action": message["legal"][-1], "note": note}
        print(json.dumps(reply), flush=True)
"""


@pytest.fixture
def record(tmp_path: Path) -> Path:
    file = tmp_path / "one.jsonl"
    file.write_bytes(orjson.dumps(play_match()))
    for name, breaks in (("last", False), ("broken", True)):
        (tmp_path / f"{name}.py").write_text(BOT.replace("BREAK_DOWN", str(breaks)))
    return file


def decide(record: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "arena", "decide", str(record), "3-1", "--unsandboxed", *arguments],
        capture_output=True, text=True, check=False, timeout=120,
        env={**os.environ, "XDG_CACHE_HOME": str(record.parent)},
    )  # fmt: skip


def test_the_bot_is_led_to_the_decision_and_both_answers_are_shown(record: Path) -> None:
    bot = str(record.parent / "last.py")
    done = decide(record, "--bot", bot, "--seat", "1", "--deal", "2", "--trick", "7", "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    deal = play_match()["deals"][1]
    trick = deal["tricks"][6]
    assert answer["recorded"] == trick["cards"][(1 - trick["leader"]) % 4]
    assert answer["answered"] == answer["legal"][-1]
    assert answer["recorded"] in answer["legal"]
    assert answer["asked_before"] == 14 + 1 + 6
    start, told_of_deal, seen = json.loads(answer["note"])
    assert start == ["start", 1, "3-1"]
    assert told_of_deal
    assert seen == 1 + answer["asked_before"] + 1 + 1
    assert "decision" in answer["log"]


def test_a_decision_is_shown_to_people(record: Path) -> None:
    bot = f"bob={record.parent / 'last.py'}"
    done = decide(record, "--bot", bot, "--deal", "1")
    assert done.returncode == 0, done.stderr
    assert "Match 3-1 · deal 1 of 2 · call" in done.stdout
    assert "now   12" in done.stdout
    assert "log   \\x1b[31mdecision" in done.stderr
    assert "\x1b" not in done.stdout + done.stderr


def test_a_bot_that_breaks_down_on_the_way_is_told_with_its_fault(record: Path) -> None:
    bot = str(record.parent / "broken.py")
    done = decide(record, "--bot", bot, "--seat", "3", "--deal", "2", "--trick", "12")
    assert done.returncode == 1
    assert "no answer" in done.stdout
    assert "fault of seat 3 (broken): exited" in done.stdout
    assert "exit status 7" in done.stdout


def test_whose_decision_it_is_must_be_clear(record: Path) -> None:
    done = decide(record, "--bot", "random", "--deal", "1")
    assert done.returncode == 2
    assert "no seat is of a bot named 'random'" in done.stderr
    assert "--seat: 0 ann, 1 bob, 2 cem, 3 dee" in done.stderr
