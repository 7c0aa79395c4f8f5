"""A match without processes: bytes in, bytes out, faults without waiting."""

from __future__ import annotations

import json
from typing import Any

import pytest
from arena_protocol.replies import Reply

from arena.records import FaultKind
from arena.referee.api import RefereeRules, TimeLimits
from arena.referee.match import OVER, Evidence, Match
from arena.referee.session import Breach, Session
from tests.referee.links import GAME, a_table


def greeted() -> Session:
    session = Session()
    session.hello({})
    session.receive(b'{"id":0}\n')
    return session


class Play:
    """Answers for four bots with their first legal action; keeps what they were sent."""

    def __init__(self, rules: RefereeRules | None = None, deals: int = 1) -> None:
        self.sessions = [greeted() for _ in range(4)]
        self.match = Match(a_table(deals=deals, rules=rules), self.sessions)
        self.sent: list[list[dict[str, Any]]] = [[], [], [], []]

    def ask(self) -> dict[str, Any]:
        """The next request, read as its bot reads it."""
        self.seat = self.match.turn()
        lines = [json.loads(line) for line in self.match.request().splitlines()]
        self.sent[self.seat] += lines
        return lines[-1]

    def answer(self, request: dict[str, Any], action: object = None, used_ms: float = 1.0) -> Any:
        action = request["legal"][0] if action is None else action
        line = json.dumps({"id": request["id"], "action": action})
        return self.match.received(line.encode() + b"\n", used_ms)

    def accuse(self, breach: Breach, evidence: Evidence | None = None) -> bytes:
        return self.match.accuse(self.seat, breach, evidence or Evidence())

    def finish(self) -> None:
        while self.match.turn() != OVER:
            assert isinstance(self.answer(self.ask()), Reply)
        for seat, data in self.match.farewells():
            self.sent[seat] += [json.loads(line) for line in data.splitlines()]


def test_a_match_of_fair_bots_replays_from_its_record() -> None:
    play = Play(deals=2)
    play.finish()
    record = play.match.record()
    assert GAME.replay(record.as_dict()).error == ""
    assert [timing.decisions for timing in record.timing] == [28] * 4
    assert record.timing[0].total_ms == pytest.approx(28.0)


def test_every_seat_is_told_start_each_deal_and_the_end_in_this_order() -> None:
    play = Play(deals=2)
    play.finish()
    for messages in play.sent:
        told = [m["type"] for m in messages if m["type"] != "act"]
        assert told == ["start", "deal_over", "deal_over", "end"]


@pytest.mark.parametrize("action", [13, 1, 3.0, "3", True, None, [], {}, "AS"])
def test_an_action_that_is_not_one_of_the_legal_ones_is_illegal(action: object) -> None:
    play = Play()
    request = play.ask()
    line = json.dumps({"id": request["id"], "action": action})
    breach = play.match.received(line.encode() + b"\n", 1.0)
    assert isinstance(breach, Breach)
    assert breach.kind is FaultKind.ILLEGAL_ACTION
    assert "2, 3" in breach.detail


def test_a_reply_without_an_action_is_illegal() -> None:
    play = Play()
    breach = play.match.received(b'{"id":%d}\n' % play.ask()["id"], 1.0)
    assert isinstance(breach, Breach)
    assert breach.kind is FaultKind.ILLEGAL_ACTION


def test_a_late_answer_is_a_timeout_and_never_an_illegal_action() -> None:
    play = Play(RefereeRules(TimeLimits(move_ms=100)))
    breach = play.answer(play.ask(), action=99, used_ms=100.5)
    assert breach.kind is FaultKind.TIMEOUT
    assert "100 ms a move" in breach.detail


def test_an_answer_at_its_limit_is_in_time_and_so_is_one_within_the_allowance() -> None:
    limits = TimeLimits(move_ms=100)
    exact = Play(RefereeRules(limits))
    assert isinstance(exact.answer(exact.ask(), used_ms=100.0), Reply)
    lenient = Play(RefereeRules(limits, late_ms=20))
    assert isinstance(lenient.answer(lenient.ask(), used_ms=119.0), Reply)
    assert isinstance(lenient.answer(lenient.ask(), used_ms=121.0), Breach)


def test_the_rest_of_the_match_limit_bounds_a_move() -> None:
    play = Play(RefereeRules(TimeLimits(move_ms=100, match_ms=150)))
    for _ in range(4):
        play.answer(play.ask(), used_ms=90.0)
    request = play.ask()
    assert request["clock"] == {"move_ms": 100, "match_ms": 60}
    assert play.match.limit_ms == pytest.approx(60)
    breach = play.match.expired(60.1)
    assert "60 ms, the rest of the bot's 150 ms a match" in breach.detail


def test_silence_and_half_a_line_are_told_apart() -> None:
    play = Play()
    play.ask()
    assert play.match.expired(1000.2).detail.startswith("nothing came")
    play.match.received(b'{"id":1', 1.0)
    breach = play.match.expired(1000.2)
    assert breach.detail.startswith("only a part of a line")
    assert breach.arrived == '{"id":1'


def test_the_first_fault_retires_and_the_fallback_plays_to_the_end() -> None:
    play = Play()
    play.ask()
    seat = play.seat
    line = play.accuse(Breach(FaultKind.TIMEOUT, "slow"), Evidence(1000.5, 1000, "still running"))
    assert json.loads(line) == {"type": "fault", "kind": "timeout", "detail": "slow"}
    play.finish()
    record = play.match.record()
    assert GAME.replay(record.as_dict()).error == ""
    assert record.ranks[seat] == 4
    assert record.faults[0].as_dict() == {
        "seat": seat,
        "kind": "timeout",
        "deal": 1,
        "trick": None,
        "detail": "slow",
        "used_ms": 1000.5,
        "limit_ms": 1000,
        "status": "still running",
    }
    assert [m["type"] for m in play.sent[seat]] == ["start", "act"]


def test_a_forgiven_bot_hears_of_its_fault_with_its_next_request() -> None:
    play = Play(RefereeRules(strikes=1))
    play.ask()
    seat = play.seat
    assert play.accuse(Breach(FaultKind.TIMEOUT, "slow"), Evidence(1000.0, 1000)) == b""
    play.finish()
    assert [m["type"] for m in play.sent[seat]][:4] == ["start", "act", "fault", "act"]
    record = play.match.record()
    assert [fault.retired for fault in record.faults] == [False]
    assert record.timing[seat].decisions == 14


def test_strikes_do_not_forgive_what_ends_the_dialogue() -> None:
    play = Play(RefereeRules(strikes=5))
    play.ask()
    play.accuse(Breach(FaultKind.EXITED, "gone", fatal=True))
    assert play.match.is_retired(play.seat)


def test_a_strike_for_output_before_a_request_leaves_the_request_to_the_bot() -> None:
    play = Play(RefereeRules(strikes=1))
    seat = play.match.turn()
    play.match.accuse(seat, Breach(FaultKind.MALFORMED, "stray"), Evidence())
    assert play.match.turn() == seat
    play.finish()
    assert play.match.record().timing[seat].decisions == 14


def test_bots_that_could_not_start_still_give_a_whole_match() -> None:
    sessions = [Session() for _ in range(4)]
    for session in sessions:
        session.hello({})
        session.retire(b"")
    match = Match(a_table(), sessions)
    for seat in range(4):
        match.accuse(seat, Breach(FaultKind.START_TIMEOUT, "no reply"), Evidence())
    assert match.turn() == OVER
    record = match.record()
    assert [fault.deal for fault in record.faults] == [None] * 4
    assert GAME.replay(record.as_dict()).error == ""


def test_a_note_is_kept_with_its_place() -> None:
    play = Play()
    request = play.ask()
    line = json.dumps({"id": request["id"], "action": 2, "note": "why not"})
    play.match.received(line.encode() + b"\n", 1.0)
    note = play.match.record().notes[0]
    assert (note.seat, note.deal, note.trick, note.text) == (play.seat, 1, None, "why not")


def test_nonsense_after_the_limit_is_late_too() -> None:
    play = Play(RefereeRules(TimeLimits(move_ms=100)))
    play.ask()
    breach = play.match.received(b"thinking\n", 100.5)
    assert isinstance(breach, Breach)
    assert (breach.kind, breach.arrived) == (FaultKind.TIMEOUT, "thinking")
