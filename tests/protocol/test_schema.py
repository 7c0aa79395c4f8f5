"""The JSON Schemas are those of the models, and say what the models accept."""

import json
from pathlib import Path

import pytest
from arena_protocol.schema import schemas
from jsonschema import Draft202012Validator

from tests.protocol.spec_lines import EXAMPLE_MESSAGES, EXAMPLE_REPLIES

FOLDER = Path(__file__).parents[2] / "protocol" / "schema"


def test_the_files_are_not_stale():
    written = {p.stem: json.loads(p.read_text(encoding="utf-8")) for p in FOLDER.glob("*.json")}
    assert written == schemas(), "run: python -m arena_protocol.schema protocol/schema"


def test_every_model_is_described():
    for schema in schemas().values():
        for model in schema.get("$defs", {}).values():
            assert model["description"]


def accepts(name: str, value: object) -> bool:
    return Draft202012Validator(schemas()[name]).is_valid(value)


@pytest.mark.parametrize("name", schemas())
def test_each_schema_is_one(name):
    Draft202012Validator.check_schema(schemas()[name])


@pytest.mark.parametrize("message", EXAMPLE_MESSAGES, ids=lambda m: m["type"])
def test_an_example_is_accepted_and_one_that_lacks_a_field_is_not(message):
    assert accepts("message", message)
    for field in message:
        assert not accepts("message", {k: v for k, v in message.items() if k != field})


@pytest.mark.parametrize("line", EXAMPLE_REPLIES)
def test_an_example_reply_is_accepted(line):
    reply = json.loads(line)
    assert accepts("act-reply" if "action" in reply else "hello-reply", reply)


@pytest.mark.parametrize("action", [0, 14, "as", "10S", None, [3], True])
def test_a_reply_without_a_call_or_card_is_refused(action):
    assert not accepts("act-reply", {"id": 1, "action": action})


def test_a_record_of_the_transcripts_is_accepted():
    last = (FOLDER.parent / "transcripts" / "strikes.jsonl").read_text(encoding="utf-8")
    record = json.loads(last.splitlines()[-1])["record"]
    assert accepts("record", record)
    assert not accepts("record", record | {"seats": record["seats"][:3]})


def test_a_manifest_has_known_keys_and_tables_of_adapters():
    least = {"name": "carl", "version": "1", "run": ["./carl"]}
    assert accepts("manifest", least | {"adapter": "bhoos", "bhoos": {"port": 7000}})
    assert not accepts("manifest", least | {"biuld": ["make"]})
