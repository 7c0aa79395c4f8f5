"""Matches of real processes: reuse, transcripts, starts and ends."""

from __future__ import annotations

import json
import os

import pytest

from arena.errors import ArenaError, SandboxError
from arena.process import Process
from arena.referee.api import RefereeRules, StaleSeatError, TimeLimits
from arena.referee.driver import play
from arena.referee.hosting import dismiss
from tests.referee.links import CLOCK, GAME, a_table, python_bot, seated

FAIR = [python_bot("fair")] * 4
PATIENT = TimeLimits(move_ms=10_000, grace_ms=50)


class Transcript:
    """Keeps every byte, by seat."""

    def __init__(self) -> None:
        self.to = [b""] * 4
        self.by = [b""] * 4

    def sent(self, seat: int, data: bytes) -> None:
        self.to[seat] += data

    def received(self, seat: int, data: bytes) -> None:
        self.by[seat] += data


def with_one(villain: str, *arguments: str) -> list[list[str]]:
    return [python_bot("villain", villain, *arguments), *FAIR[1:]]


def test_a_process_plays_several_matches_and_is_greeted_once() -> None:
    with seated(FAIR) as seats:
        first = play(a_table(match="1", seed="1"), seats, CLOCK)
        second = play(a_table(match="2", seed="2"), seats, CLOCK)
        assert all(seat.usable for seat in seats)
    assert first.deals != second.deals
    assert not first.faults + second.faults


def test_what_was_played_before_changes_nothing() -> None:
    with seated(FAIR) as seats:
        play(a_table(match="1", seed="1"), seats, CLOCK)
        again = play(a_table(match="2", seed="2"), seats, CLOCK)
    with seated(FAIR) as seats:
        fresh = play(a_table(match="2", seed="2"), seats, CLOCK)
    assert (again.deals, again.scores, again.ranks) == (fresh.deals, fresh.scores, fresh.ranks)


def test_an_observer_has_the_whole_dialogue() -> None:
    transcript = Transcript()
    with seated(FAIR) as seats:
        record = play(a_table(deals=2), seats, CLOCK, [transcript])
    for seat in range(4):
        sent = [json.loads(line) for line in transcript.to[seat].splitlines()]
        replies = [json.loads(line) for line in transcript.by[seat].splitlines()]
        asked = [message["id"] for message in sent if message["type"] == "act"]
        assert [reply["id"] for reply in replies] == asked
        assert len(asked) == record.timing[seat].decisions == 28
        assert sent[-1]["scores"] == list(record.scores)


def test_every_write_wakes_a_bot_for_one_request_or_for_the_end() -> None:
    class Writes(Transcript):
        def sent(self, seat: int, data: bytes) -> None:
            types.append([json.loads(line)["type"] for line in data.splitlines()])

    types: list[list[str]] = []
    with seated(FAIR) as seats:
        play(a_table(deals=2), seats, CLOCK, [Writes()])
    assert len(types) == 2 * 56 + 4
    assert all(written.count("act") + written.count("end") == 1 for written in types)


def test_a_retired_bot_is_told_why_while_the_match_goes_on() -> None:
    slow = python_bot("villain", "late-always", "0.02")
    commands = [python_bot("villain", "not-held"), slow, slow, slow]
    with seated(commands) as seats:
        play(a_table(rules=RefereeRules(PATIENT)), seats, CLOCK)
        seats[0].pipes.drain_log()
        assert seats[0].pipes.log.text() == "told: illegal-action"
        assert [seat.usable for seat in seats] == [False, True, True, True]


def test_a_process_that_was_retired_is_refused_a_second_match() -> None:
    with seated(with_one("not-held")) as seats:
        play(a_table(), seats, CLOCK)
        with pytest.raises(ArenaError, match="bot0 cannot play"):
            play(a_table(match="2"), seats, CLOCK)


def test_a_bot_that_could_not_start_can_sit_at_any_table() -> None:
    with seated(with_one("exits-at-start")) as seats:
        assert not seats[0].usable
        for match in ("1", "2"):
            record = play(a_table(match=match), seats, CLOCK)
            assert [fault.stderr for fault in record.faults] == ["no such module"]
            assert GAME.replay(record.as_dict()).error == ""


def test_output_after_the_last_answer_is_charged_to_this_match() -> None:
    with seated(with_one("answers-twice-at-the-end")) as seats:
        record = play(a_table(), seats, CLOCK)
    assert [(fault.kind.value, fault.seat) for fault in record.faults] == [("malformed", 0)]
    assert record.timing[0].decisions == 14


def test_a_bot_that_left_after_its_last_answer_owes_nothing_but_is_not_usable() -> None:
    with seated(with_one("leaves-at-the-end")) as seats:
        record = play(a_table(), seats, CLOCK)
        assert record.faults == ()
        seats[0].link.exit(10_000)
        assert [seat.usable for seat in seats] == [False, True, True, True]


def test_a_process_that_left_between_matches_is_not_charged_in_the_next() -> None:
    with seated(with_one("leaves-at-the-end")) as seats:
        play(a_table(), seats, CLOCK)
        with pytest.raises(StaleSeatError, match="bot0, which has played before: the process"):
            play(a_table(match="2", seed="8"), seats, CLOCK)


AFTER_THE_END = [
    ("speaks-after-the-end", "output that nobody asked for"),
    ("speaks-in-half-lines-after-the-end", "output that nobody asked for"),
    ("speaks-late-after-the-end", "the reply is not a JSON object"),
    ("ponders-after-the-end", "nothing came within"),
]


@pytest.mark.parametrize(("villain", "why"), AFTER_THE_END)
def test_what_a_bot_does_after_the_end_is_charged_to_no_match(villain: str, why: str) -> None:
    quick = RefereeRules(TimeLimits(move_ms=300, grace_ms=50))
    with seated(with_one(villain, "2")) as seats:
        assert play(a_table(rules=quick), seats, CLOCK).faults == ()
        if why.startswith("output"):
            seats[0].pipes.poll(10_000)  # it is there: the process is known to be stale
            assert [seat.usable for seat in seats] == [False, True, True, True]
        with pytest.raises(StaleSeatError, match=why):
            play(a_table(match="2", seed="8", rules=quick), seats, CLOCK)


def test_a_process_that_was_forgiven_a_fault_plays_no_other_match() -> None:
    with seated(with_one("banner-after-the-hello")) as seats:
        record = play(a_table(rules=RefereeRules(strikes=1)), seats, CLOCK)
        assert [(f.kind.value, f.retired) for f in record.faults] == [("malformed", False)]
        assert [seat.usable for seat in seats] == [False, True, True, True]


def test_a_pipe_that_fails_on_our_side_voids_the_match() -> None:
    with seated(FAIR) as seats:
        broken = os.open("/", os.O_RDONLY)
        os.dup2(broken, seats[2].pipes.stdout)
        os.close(broken)
        with pytest.raises(ArenaError, match="a pipe to a bot failed"):
            play(a_table(), seats, CLOCK)


def test_who_leaves_on_quit_is_told_from_who_has_to_be_killed() -> None:
    with seated([python_bot("fair"), python_bot("villain", "ignores-sigterm")]) as seats:
        left, killed = dismiss(seats, CLOCK, 1_000)
    assert left is not None
    assert (left.status, killed) == (0, None)


def test_a_seat_that_cannot_be_closed_keeps_no_other_one_alive(monkeypatch) -> None:
    with seated([python_bot("fair"), python_bot("villain", "ignores-sigterm")]) as seats:
        first, second = (seat.link for seat in seats)
        close = type(first).close

        def close_badly(process: Process) -> None:
            close(process)
            if process is first:
                raise SandboxError("something survived")

        with monkeypatch.context() as patch:
            patch.setattr(type(first), "close", close_badly)
            with pytest.raises(SandboxError, match="something survived"):
                dismiss(seats, CLOCK, 50)
        with pytest.raises(ProcessLookupError):
            os.kill(second.pid, 0)


def test_a_start_is_timed() -> None:
    with seated([python_bot("villain", "slow-start"), python_bot("fair")]) as seats:
        assert seats[0].start_ms >= 300
        assert seats[1].start_ms > 0
