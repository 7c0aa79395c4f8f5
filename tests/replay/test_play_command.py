"""`arena play` through a pseudo-terminal: a person plays a whole deal against real bots."""

from __future__ import annotations

import re
import time
from pathlib import Path

import orjson
import pexpect
import pytest

from arena.report.callbreak.person import read_card
from tests.replay.conftest import GAME, Terminal

BOTS = ("random", "random-2=random", "random-3=random")
GAME_OPTIONS = ("--deals", "1", "--seed", "3", "--unsandboxed")
MOVE_MS = 1500
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.slow
def test_a_person_plays_a_deal_and_the_record_is_marked(terminal: Terminal, tmp_path: Path) -> None:
    limit = ("--move-ms", str(MOVE_MS))
    child = terminal("play", *BOTS, "--seat", "2", "--name", "me", *GAME_OPTIONS, *limit)
    child.expect(r"You sit in seat 2; to your right and round: random \(3\), random-2 \(0\)")
    child.expect(r"Your call \(2 to 12\): ")
    child.sendline("thirteen")
    child.expect("A call is a whole number from 2 to 12")
    child.expect(r"Your call \(2 to 12\): ")
    child.sendline("2")
    for trick in range(1, 14):
        child.expect(rf"Trick {trick}, you won \d+ of 2\. Table: ")
        child.expect(r"Legal: ([^\r\n]*)")
        first = COLOUR.sub("", child.match[1]).split()[0]
        child.expect("Your card: ")
        if trick == 1:
            child.sendline("1S")
            child.expect("Type one of the legal cards")
            child.expect("Your card: ")
            time.sleep(1.2 * MOVE_MS / 1000)  # there is no clock for a person
        child.sendline(first.lower())
    child.expect("Deal 1 is over")
    child.expect(r"you: called 2, won \d+")
    child.expect("The match is over")
    child.expect(r"recorded in runs/play\.jsonl")
    child.expect(pexpect.EOF)
    record = orjson.loads((tmp_path / "runs/play.jsonl").read_bytes())
    assert record["person"] == 2
    assert record["seats"][2]["bot"] == "me"
    assert [seat["bot"] for seat in record["seats"]] == ["random-2", "random-3", "me", "random"]
    assert record["timing"][2]["total_ms"] < MOVE_MS
    assert [fault for fault in record["faults"] if fault["seat"] == 2] == []
    assert GAME.replay(record).error == ""


@pytest.mark.slow
def test_a_person_who_leaves_interrupts_the_match(terminal: Terminal, tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    kept.write_text("{}\n")
    for goodbye, record in (("\x04", "runs/a/play.jsonl"), ("\x03", kept.name)):
        child = terminal("play", *BOTS, *GAME_OPTIONS, "--record", record)
        child.expect("Your call")
        child.send(goodbye)
        child.expect(pexpect.EOF)
        child.wait()
        assert child.exitstatus == 130
    # A file made to see whether it can be written does not stay; one that was there does.
    assert not (tmp_path / "runs").exists()
    assert kept.read_text() == "{}\n"


def test_cards_are_read_as_people_write_them() -> None:
    legal = ["AS", "TD", "9C"]
    for typed in ("AS", "as", " As ", "A♠"):
        assert read_card(typed, legal) == "AS"
    for typed in ("td", "10d", "10♦", "T♦"):
        assert read_card(typed, legal) == "TD"
    for typed in ("", "KS", "A", "AS TD", "\x1b[A"):
        assert read_card(typed, legal) is None
