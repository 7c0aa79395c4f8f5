"""SPEC.md says what the code does: its examples are valid, its bots play, its table holds."""

import json
import re
import subprocess
import sys

import pytest
from arena_protocol import LineBuffer, Malformed, Reply, action_index, encode, parse_reply
from arena_protocol.manifest import KEYS, Manifest, parse_manifest
from arena_protocol.messages import MESSAGE, FaultKind
from arena_protocol.record import MatchRecord

from arena.games.callbreak.game import Callbreak
from arena.records import FaultKind as RecordedFaultKind
from tests.protocol.spec_lines import (
    EXAMPLE_MESSAGES,
    EXAMPLE_REPLIES,
    SPEC_LINES,
    TEXT,
    SpecLine,
    blocks,
)

LEGAL = {"call": list(range(2, 13)), "play": ["AS", "9S"]}


def judge(row: SpecLine) -> str:
    """The verdict of a referee reduced to its reading: one open request, all output read."""
    buffer = LineBuffer()
    if row.asked != "hello":
        assert buffer.feed(b'{"id":0}\n') == [b'{"id":0}']
    lines = [line for piece in row.pieces for line in buffer.feed(piece)]
    if not lines:
        assert buffer.overflow
        return "malformed"
    reply = parse_reply(lines[0])
    if isinstance(reply, Malformed) or reply.id != (0 if row.asked == "hello" else 7):
        return "malformed"
    if row.asked != "hello" and action_index(reply.action, LEGAL[row.asked]) < 0:
        return "illegal-action"
    return "malformed" if lines[1:] or buffer.pending or buffer.overflow else "accepted"


@pytest.mark.parametrize("row", SPEC_LINES, ids=lambda row: f"{row.asked}: {row.because}")
def test_each_line_of_the_table_gets_its_verdict(row):
    assert judge(row) == row.verdict


def test_the_table_has_every_verdict_for_a_call_and_a_play():
    verdicts = {(row.asked, row.verdict) for row in SPEC_LINES}
    assert {("call", v) for v in ("accepted", "malformed", "illegal-action")} <= verdicts
    assert {("play", v) for v in ("accepted", "illegal-action")} <= verdicts


@pytest.mark.parametrize("message", EXAMPLE_MESSAGES, ids=lambda m: m["type"])
def test_each_example_message_is_valid_and_has_no_unknown_field(message):
    assert MESSAGE.validate_python(message).model_dump() == message


def test_every_type_of_message_has_an_example_and_a_heading():
    kinds = {m["type"] for m in EXAMPLE_MESSAGES}
    assert kinds == {"hello", "start", "act", "deal_over", "fault", "end", "quit"}
    assert {m["kind"] for m in EXAMPLE_MESSAGES if m["type"] == "act"} == {"call", "play"}
    assert all(re.search(rf"^### {kind}\b", TEXT, re.MULTILINE) for kind in kinds)


def test_the_example_messages_are_written_as_the_referee_writes_them():
    written = blocks("json message")
    assert [encode(json.loads(line)).decode() for line in written] == written


@pytest.mark.parametrize("line", EXAMPLE_REPLIES)
def test_each_example_reply_is_one(line):
    assert isinstance(parse_reply(line.encode()), Reply)


def bot_command(language: str, tmp_path) -> list[str]:
    program = tmp_path / "bot"
    [source] = blocks(f"{language} bot")
    program.write_text(source)
    return [sys.executable if language == "python" else "sh", str(program)]


@pytest.mark.parametrize("language", ["python", "sh"])
def test_the_bots_in_ten_lines_answer_every_example(language, tmp_path):
    dialogue = "".join(blocks("json message"))
    played = subprocess.run(
        bot_command(language, tmp_path), input=dialogue, capture_output=True, text=True, timeout=30
    )
    asked = [m for m in EXAMPLE_MESSAGES if "id" in m]
    replies = [parse_reply(line.encode()) for line in played.stdout.splitlines()]
    assert [r.id for r in replies] == [m["id"] for m in asked]
    assert [r.action for r in replies[1:]] == [m["legal"][0] for m in asked[1:]]
    assert (played.returncode, played.stderr) == (0, "")


def test_the_example_manifest_is_one():
    [text] = blocks("toml manifest")
    assert parse_manifest(text).name == "counting-carl"


def first_cells(heading: str) -> set[str]:
    """The words in backquotes of the first column of the first table after a heading."""
    table = TEXT.split(f"\n## {heading}", 1)[1].split("|---", 1)[1].split("\n\n", 1)[0]
    rows = [line.split("|")[1] for line in table.splitlines()[1:]]
    return {word for cell in rows for word in re.findall(r"`\[?(\w[\w-]*)\]?`", cell)}


def test_tables_name_exactly_what_the_models_have():
    faults = set(FaultKind.__args__)
    assert first_cells("8.") == faults == {kind.value for kind in RecordedFaultKind}
    assert first_cells("9.") - {"mb"} == set(KEYS) == set(Manifest.model_fields) - {"settings"}
    assert first_cells("10.") == set(MatchRecord.model_fields)
    assert first_cells("6.") == set(Callbreak().variant("master"))


def test_presets_are_as_the_table_says():
    rows = [line for line in TEXT.splitlines() if re.match(r"\| `\w+` \| \d+ \| \d+ to", line)]
    presets = Callbreak().variants()
    assert len(rows) == len(presets)
    for row in rows:
        name, deals, calls, overtricks, bonus, head, duty, redeal = (
            cell.strip(" `") for cell in row.strip("|").split("|")
        )
        v = presets[name]
        assert (v["deals"], f"{v['min_call']} to {v['max_call']}") == (int(deals), calls)
        allowed = v["overtricks_allowed"]
        worth = f"0.{v['overtrick_tenths']} each" if v["overtrick_tenths"] else "worth nothing"
        assert overtricks == (f"any, {worth}" if allowed is None else f"{allowed} allowed, {worth}")
        eight = f"{v['bonus_call']} or more: {v['bonus_points']}"
        assert bonus == ("none" if v["bonus_call"] is None else eight)
        assert (head == "yes", duty, redeal) == (v["must_head"], v["void_duty"], v["redeal"])
