"""The dialogue with one bot, without a bot."""

from __future__ import annotations

import itertools
import json

import pytest
from arena_protocol.replies import Reply
from hypothesis import given
from hypothesis import strategies as st

from arena.records import FaultKind
from arena.referee.session import (
    STRAY_LIMIT_BYTES,
    TRANSITIONS,
    Breach,
    LocalProtocolError,
    Phase,
    Session,
    Step,
    table,
)


def greeted() -> Session:
    session = Session()
    session.hello({"protocol": 1})
    assert isinstance(session.receive(b'{"id":0,"name":"carl","version":"2"}\n'), Reply)
    return session


def playing() -> Session:
    session = greeted()
    session.start(b'{"type":"start"}\n')
    return session


def asked(session: Session | None = None) -> Session:
    session = session or playing()
    session.ask("call", "{}", "{}", "[2,3]")
    return session


def test_the_table_names_every_phase_and_only_the_end_has_no_way_out() -> None:
    assert set(TRANSITIONS) == set(Phase)
    assert [phase for phase, row in TRANSITIONS.items() if not row] == [Phase.OVER]
    assert "idle      start     -> playing" in table().splitlines()


def test_a_step_that_the_table_does_not_have_is_our_bug() -> None:
    with pytest.raises(LocalProtocolError):
        greeted().ask("call", "{}", "{}", "[]")


def test_asking_and_settling_are_the_steps_of_the_table() -> None:
    session = playing()
    session.ask("call", "{}", "{}", "[2,3]")
    assert session.phase is TRANSITIONS[Phase.PLAYING][Step.ASK]
    with pytest.raises(LocalProtocolError):
        session.ask("call", "{}", "{}", "[2,3]")
    assert session.receive(b'{"id":1,"action":2}\n') == Reply(1, 2)
    assert session.phase is TRANSITIONS[Phase.ASKED][Step.ANSWERED]


def test_a_greeted_bot_has_told_its_name() -> None:
    session = greeted()
    assert (session.phase, session.name, session.version) == (Phase.IDLE, "carl", "2")


def test_all_that_a_bot_was_not_told_travels_with_its_next_request() -> None:
    session = playing()
    session.tell(b'{"type":"deal_over"}\n')
    data = session.ask("call", "{}", "{}", "[2]")
    assert [json.loads(line)["type"] for line in data.splitlines()] == ["start", "deal_over", "act"]


def test_requests_of_a_match_are_numbered_from_one() -> None:
    session = asked()
    assert isinstance(session.receive(b'{"id":1,"action":2}\n'), Reply)
    asked(session)
    assert isinstance(session.receive(b'{"id":2,"action":2}\n'), Reply)
    session.end(b'{"type":"end"}\n')
    session.start(b'{"type":"start"}\n')
    asked(session)
    assert isinstance(session.receive(b'{"id":1,"action":2}\n'), Reply)


@given(st.lists(st.integers(0, 40)))
def test_cutting_the_answer_into_pieces_changes_nothing(cuts: list[int]) -> None:
    line = b'{"id":1,"action":2,"note":"so"}\r\n'
    bounds = [0, *sorted(min(cut, len(line)) for cut in cuts), len(line)]
    session = asked()
    pieces = [line[a:b] for a, b in itertools.pairwise(bounds)]
    events = [session.receive(piece) for piece in pieces]
    assert [event for event in events if event] == [Reply(1, 2, "so")]
    assert not session.has_spare


@pytest.mark.parametrize(
    "line",
    [b"hi\n", b"\n", b'{"id":2,"action":2}\n', b'{"id":0}\n', b"[1]\n", b'{"id":1,"action":2}{}\n'],
)
def test_anything_but_one_object_with_the_open_id_is_malformed(line: bytes) -> None:
    event = asked().receive(line)
    assert isinstance(event, Breach)
    assert (event.kind, event.fatal) == (FaultKind.MALFORMED, False)
    assert event.arrived == line[:-1].decode()


def test_a_line_that_is_too_long_ends_the_dialogue_before_its_end_has_come() -> None:
    event = asked().receive(b"x" * 65_537)
    assert isinstance(event, Breach)
    assert (event.kind, event.fatal) == (FaultKind.MALFORMED, True)
    assert len(event.arrived) < 300


def test_what_follows_an_answer_is_output_that_nobody_asked_for() -> None:
    session = asked()
    assert session.receive(b'{"id":1,"action":2}\n{"id":1,"action":2}\n') == Reply(1, 2)
    assert session.has_spare
    breach = session.unasked()
    assert breach is not None
    assert breach.kind is FaultKind.MALFORMED


@pytest.mark.parametrize("data", [b"log\n", b"lo", b'{"id":2,"action":2}\n'])
def test_output_before_a_request_is_malformed_and_consumed(data: bytes) -> None:
    session = playing()
    breach = session.unasked(data)
    assert breach is not None
    assert breach.kind is FaultKind.MALFORMED
    assert not session.has_spare


def test_a_flood_between_requests_is_over_the_output_limit() -> None:
    breach = playing().unasked(b"x\n" * STRAY_LIMIT_BYTES)
    assert breach is not None
    assert (breach.kind, breach.fatal) == (FaultKind.OUTPUT_LIMIT, True)


def test_a_late_answer_is_dropped_by_its_id_whenever_it_comes() -> None:
    before, during = asked(), asked()
    for session in (before, during):
        session.forgive(b'{"type":"fault"}\n')
        assert session.owes
    assert before.unasked(b'{"id":1,"action":2}\n') is None
    assert not before.owes
    asked(during)
    assert during.receive(b'{"id":1,"action":2}\n') is None
    assert during.receive(b'{"id":2,"action":3}\n') == Reply(2, 3)


def test_half_a_late_answer_is_no_fault_and_its_rest_is_dropped() -> None:
    session = asked()
    assert session.receive(b'{"id":1,') is None
    session.forgive(b'{"type":"fault"}\n')
    assert session.unasked() is None
    asked(session)
    assert session.receive(b'"action":2}\n{"id":2,"action":3}\n') == Reply(2, 3)


def test_a_late_answer_is_dropped_once() -> None:
    session = asked()
    session.forgive(b'{"type":"fault"}\n')
    breach = session.unasked(b'{"id":1,"action":2}\n{"id":1,"action":2}\n')
    assert breach is not None
    assert breach.kind is FaultKind.MALFORMED


def test_a_retired_bot_is_told_why_and_nothing_else() -> None:
    session = playing()
    session.tell(b'{"type":"deal_over"}\n')
    assert session.retire(b'{"type":"fault"}\n') == b'{"type":"fault"}\n'
    with pytest.raises(LocalProtocolError):
        session.end(b'{"type":"end"}\n')


@given(st.lists(st.binary(max_size=200) | st.sampled_from([b'{"id":1,"action":2}\n', b"\n"])))
def test_no_bytes_whatever_break_the_dialogue(pieces: list[bytes]) -> None:
    session = playing()
    for piece in pieces:
        if session.phase is Phase.PLAYING:
            breach = session.unasked(piece)
            asked(session)
        event = session.receive(piece)
        if isinstance(event, Breach):
            assert event.kind is FaultKind.MALFORMED
            session.forgive(b"")
        assert breach is None or breach.arrived.isascii()
