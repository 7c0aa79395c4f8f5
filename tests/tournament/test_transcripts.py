"""Transcripts: every line that a seat was sent, byte for byte, and what it wrote."""

from __future__ import annotations

import gzip
import json
from itertools import pairwise
from pathlib import Path

import pytest
from arena_protocol.messages import MESSAGE

from arena.errors import ConfigError, StoreError
from arena.referee.driver import play
from arena.store import RunStore
from arena.tournament.config import check_tournament
from arena.tournament.folder import open_run
from arena.tournament.prepare import prepare
from arena.tournament.runner import run
from arena.tournament.single import play_single
from arena.tournament.transcript import SAID_LIMIT_BYTES, Transcript, keep
from tests.referee.links import CLOCK, a_table, python_bot, seated
from tests.tournament.played import Heard


class Bytes:
    """An observer that keeps every byte sent, by seat."""

    def __init__(self) -> None:
        self.to = [b""] * 4

    def sent(self, seat: int, data: bytes) -> None:
        self.to[seat] += data

    def received(self, seat: int, data: bytes) -> None: ...


def events_of(text: bytes) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def a_record():
    with seated([python_bot("fair")] * 4) as seats:
        return play(a_table(), seats, CLOCK)


def test_a_transcript_holds_every_byte_that_a_seat_was_sent(tournament, tmp_path):
    path, sent = tmp_path / "t.jsonl", Bytes()
    record = play_single(tournament(), observers=[sent], transcript=path)
    for seat in range(4):
        start = b'{"to":%d,"line":' % seat
        lines = [line for line in path.read_bytes().splitlines() if line.startswith(start)]
        told = [line.removeprefix(start)[:-1] for line in lines]
        assert json.loads(told[0])["type"] == "hello"
        assert b"\n".join(told[1:]) + b"\n" == sent.to[seat]
    events = events_of(path.read_bytes())
    assert events[-1] == {"record": json.loads(json.dumps(record.as_dict()))}
    assert sum("from" in event for event in events) == sum(t.decisions for t in record.timing)


def test_each_request_is_followed_by_its_answer(tournament, tmp_path):
    play_single(tournament(), transcript=tmp_path / "t.jsonl")
    *events, _ = events_of((tmp_path / "t.jsonl").read_bytes())
    for asked, said in pairwise(events):
        assert "to" not in asked or MESSAGE.validate_python(asked["line"])
        if "from" in said:
            assert (asked["to"], asked["line"]["id"]) == (said["from"], said["line"]["id"])


def test_a_run_keeps_a_transcript_of_every_match(tournament, tmp_path):
    with open_run(tournament(run={"transcripts": True}), tmp_path / "run") as (store, whole):
        run(whole, store, listener=Heard())
        records = {record["match"]: record for record in store.records()}
    kept = {path.name: path for path in (tmp_path / "run" / "transcripts").iterdir()}
    assert set(kept) == {f"{match}.jsonl.gz" for match in records}
    for match, record in records.items():
        events = events_of(gzip.decompress(kept[f"{match}.jsonl.gz"].read_bytes()))
        assert events[-1]["record"] == record


def test_a_run_keeps_none_unless_it_is_told_to_and_may_change_its_mind(tournament, tmp_path):
    with open_run(tournament(), tmp_path / "run") as (store, whole):
        run(whole, store, listener=Heard())
    assert not (tmp_path / "run" / "transcripts").exists()
    with open_run(tournament(run={"transcripts": True}), tmp_path / "run") as (_, whole):
        assert whole.plan.transcripts == str(tmp_path / "run" / "transcripts")
    assert RunStore.is_run(tmp_path / "run")


def test_transcripts_are_refused_where_matches_are_played_elsewhere(manager, tmp_path):
    run_section = {"executor": "dask", "transcripts": True}
    file = check_tournament({"bots": ["random", "a=random"], "run": run_section}, where="test")
    with pytest.raises(ConfigError, match="transcripts are written where matches are played"):
        prepare(file, manager, cache=tmp_path)


def test_what_is_no_json_is_kept_as_text_and_pieces_are_joined():
    transcript = Transcript()
    for piece in (b'{"id":', b"1}\r\nwhat", b"?\n\xff\x00\n", b"half"):
        transcript.received(2, piece)
    transcript.sent(1, b'{"type":"quit"}\n')
    *events, _ = events_of(transcript.text(a_record()))
    assert events == [
        {"from": 2, "line": {"id": 1}},
        {"from": 2, "text": "what?\n"},
        {"from": 2, "text": "\\xff\x00\n"},
        {"to": 1, "line": {"type": "quit"}},
        {"from": 2, "text": "half"},
    ]


def test_a_flood_does_not_grow_a_transcript_past_its_bound():
    transcript, record = Transcript(), a_record()
    for _ in range(2 * SAID_LIMIT_BYTES // 16_384):
        transcript.received(0, b"x" * 16_383 + b"\n")
    transcript.sent(1, b'{"type":"quit"}\n')
    text = transcript.text(record)
    assert len(text) < 1.1 * SAID_LIMIT_BYTES
    *_, cut, sent, _ = events_of(text)
    assert (cut, sent["to"]) == ({"from": 0, "cut": True}, 1)


def test_a_transcript_that_cannot_be_kept_is_our_failure(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be kept"):
        keep(Path(tmp_path / "file" / "t.jsonl"), b"")
