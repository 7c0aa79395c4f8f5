"""The golden transcripts are what the referee's core does, and keep the models and the rules."""

import json

import pytest
from arena_protocol import Malformed, parse_reply
from arena_protocol.messages import MESSAGE
from arena_protocol.record import MatchRecord

from arena.games.callbreak.game import Callbreak
from tests.golden.transcripts import FOLDER, SCRIPTS, transcript

FAULTLESS = ("master", "bhoos")


def events_of(name: str) -> list[dict]:
    text = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def record_of(name: str) -> dict:
    return events_of(name)[-1]["record"]


def test_there_is_a_file_for_each_script():
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(SCRIPTS)


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_same_bytes_come_out_again(name):
    written = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
    assert transcript(SCRIPTS[name]) == written, "run: python tests/golden/transcripts.py"


@pytest.mark.parametrize("name", SCRIPTS)
def test_each_message_is_valid_and_has_no_unknown_field(name):
    sent = [event["line"] for event in events_of(name) if "to" in event]
    assert sent
    for message in sent:
        assert MESSAGE.validate_python(message).model_dump() == message


@pytest.mark.parametrize("name", SCRIPTS)
def test_each_good_reply_answers_the_last_request(name):
    asked = {}
    for event in events_of(name):
        if "to" in event:
            asked[event["to"]] = event["line"]
        elif "line" in event:
            reply = parse_reply(json.dumps(event["line"]).encode())
            assert not isinstance(reply, Malformed)
            assert reply.id == asked[event["from"]]["id"]


@pytest.mark.parametrize("name", SCRIPTS)
def test_each_record_is_valid_and_replays(name):
    record = record_of(name)
    assert MatchRecord.model_validate(record).model_dump(exclude_unset=True) == record
    assert Callbreak().replay(record).error == ""


@pytest.mark.parametrize("name", [name for name in SCRIPTS if name not in FAULTLESS])
def test_a_fault_costs_only_its_seat(name):
    record = record_of(name)
    kinds = [fault["kind"] for fault in record["faults"]]
    if name == "strikes":
        assert kinds == ["illegal-action", "timeout", "malformed"]
        assert not any(fault["retired"] for fault in record["faults"])
    else:
        assert kinds == [name]
        assert record["ranks"][record["faults"][0]["seat"]] == 4


@pytest.mark.parametrize("name", FAULTLESS)
def test_a_match_without_a_fault_has_all_deals_of_its_preset(name):
    record = record_of(name)
    assert record["faults"] == []
    assert len(record["deals"]) == Callbreak().variant(name)["deals"]
    assert record["notes"][0]["text"] == "seat 0 was here" or len(record["notes"]) == 4
