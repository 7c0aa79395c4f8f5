"""Every misdeed of a real process costs only the bot that does it."""

from __future__ import annotations

import contextlib
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.records import Fault, MatchRecord
from arena.referee.api import RefereeRules, TimeLimits
from arena.referee.driver import play
from arena.referee.seat import Seat
from arena.sandbox.api import Sandbox
from arena.sandbox.bubblewrap import Bubblewrap
from tests.referee.links import CLOCK, GAME, a_table, python_bot, seated

pytestmark = pytest.mark.quiet

VILLAIN = 1
LIMITS = TimeLimits(start_ms=10_000, move_ms=700, match_ms=60_000, grace_ms=100)
MEMORY_BYTES = 4_000_000

FAULTS = {
    "exits-at-start": "exited",
    "banner-at-start": "malformed",
    "mute": "timeout",
    "half-a-line": "timeout",
    "spins": "timeout",
    "floods-lines": "malformed",
    "floods": "malformed",
    "floods-after": "output-limit malformed",  # by how much of it a look finds
    "deaf": "timeout",
    "closes-stdin": "exited",
    "closes-stdout": "exited",
    "exits-in-mid-call": "exited",
    "exits-in-mid-trick": "exited",
    "crashes": "exited",
    "stops-itself": "timeout",
    "execs": "malformed",
    "leaves-a-grandchild": "exited",
    "answers-notifications": "malformed",
    "answers-twice": "malformed",
    "answers-ahead": "malformed",
    "fills-its-stdin": "timeout",
    "prints": "malformed",
    "wrong-id": "malformed",
    "not-held": "illegal-action",
    "wrong-type": "illegal-action",
}
IN_SANDBOX = {
    # The sandbox's own init holds the pipe open too, so that nothing is heard of the end.
    "closes-stdin": "timeout",
    "closes-stdout": "timeout",
    # A harness that runs as root owns the pipe, and the bot is refused (and dies of that).
    "fills-its-stdin": "timeout exited",
}
WAITED_FOR = (
    "mute", "half-a-line", "spins", "deaf", "stops-itself", "leaves-a-grandchild", "fills-its-stdin"
)  # fmt: skip
NO_FAULT = ("slow-start", "ignores-sigterm", "floods-the-log", "pads", "chatters", "dribbles")


def play_with(
    name: str,
    *arguments: str,
    limits: TimeLimits = LIMITS,
    strikes: int = 0,
    sandbox: Sandbox | None = None,
) -> MatchRecord:
    """One match of three fair bots and a villain; no process of it is left afterwards."""
    commands = [python_bot("fair") for _ in range(4)]
    commands[VILLAIN] = python_bot("villain", name, *arguments)
    with seated(commands, limits, sandbox) as seats:
        table = a_table(rules=RefereeRules(limits=limits, strikes=strikes))
        tracemalloc.start()
        record = play(table, seats, CLOCK)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < MEMORY_BYTES, "the referee's memory is not bounded"
    assert_no_process_left(seats)
    return record


def assert_no_process_left(seats: list[Seat]) -> None:
    sessions = {seat.link.pid for seat in seats}  # type: ignore[attr-defined]
    assert not sessions & set(living_sessions())


def living_sessions() -> Iterator[int]:
    """The session of every process that runs (a zombie whose parent is to reap it does not)."""
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, _, session = entry.read_text().rpartition(")")[2].split()[:4]
            if state not in "ZX":
                yield int(session)


def assert_others_are_whole(record: MatchRecord) -> None:
    assert GAME.replay(record.as_dict()).error == ""
    assert {fault.seat for fault in record.faults} <= {VILLAIN}
    for seat, timing in enumerate(record.timing):
        if seat != VILLAIN:
            assert timing.decisions == 14


def only_fault(record: MatchRecord) -> Fault:
    assert len(record.faults) == 1
    return record.faults[0]


def assert_only_the_villain_pays(kinds: str, record: MatchRecord) -> None:
    fault = only_fault(record)
    assert fault.kind.value in kinds.split(), fault
    if fault.used_ms is not None and fault.limit_ms is not None and not fault.host_stalled:
        assert fault.used_ms < fault.limit_ms + 100
    assert record.ranks[VILLAIN] == 4
    assert_others_are_whole(record)


def names() -> Iterator[Any]:
    """The names of all misdeeds; those that use up a limit are slow."""
    for name in FAULTS:
        slow = name in WAITED_FOR and name != "mute"
        yield pytest.param(name, marks=pytest.mark.slow) if slow else name


@pytest.mark.parametrize("name", list(names()))
def test_a_misdeed_is_charged_to_the_bot_alone(name: str) -> None:
    assert_only_the_villain_pays(FAULTS[name], play_with(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", FAULTS)
def test_a_misdeed_in_the_sandbox_is_charged_to_the_bot_alone(name: str) -> None:
    sandbox = Bubblewrap()
    if reason := sandbox.unavailable():
        pytest.skip(f"bwrap: {reason.reason}")
    kinds = IN_SANDBOX.get(name, FAULTS[name])
    assert_only_the_villain_pays(kinds, play_with(name, sandbox=sandbox))


@pytest.mark.parametrize("name", NO_FAULT)
def test_what_the_contract_allows_is_no_fault(name: str) -> None:
    record = play_with(name, limits=TimeLimits(move_ms=5_000, grace_ms=100))
    assert record.faults == ()
    assert_others_are_whole(record)


def test_a_bot_that_never_says_hello_is_played_by_the_fallback() -> None:
    fault = only_fault(play_with("silent-start", limits=TimeLimits(start_ms=1_000, grace_ms=50)))
    assert fault.kind == "start-timeout"
    assert fault.deal is None


def test_a_bot_that_is_late_once_is_forgiven_and_plays_on_within_its_strikes() -> None:
    record = play_with("late-once", "1.0", strikes=1)
    fault = only_fault(record)
    assert (fault.kind.value, fault.retired) == ("timeout", False)
    assert record.timing[VILLAIN].decisions == 14
    assert_others_are_whole(record)


def test_a_bot_that_is_always_late_is_retired_when_its_strikes_are_used_up() -> None:
    limits = TimeLimits(move_ms=200, grace_ms=50)
    record = play_with("late-always", "0.3", limits=limits, strikes=2)
    assert [fault.kind.value for fault in record.faults] == ["timeout"] * 3
    assert [fault.retired for fault in record.faults] == [False, False, True]


@pytest.mark.slow
def test_a_bot_that_does_not_read_costs_only_its_limit_even_with_its_pipe_full() -> None:
    limits = TimeLimits(move_ms=150, grace_ms=50)
    record = play_with("deaf", limits=limits, strikes=100)
    assert len(record.faults) == 14
    assert_others_are_whole(record)


@pytest.mark.slow
@pytest.mark.parametrize("sandboxed", [False, True])
def test_a_bot_that_eats_memory_is_ended_by_its_limit(sandboxed: bool) -> None:
    sandbox = Bubblewrap() if sandboxed else None
    if sandbox and (reason := sandbox.unavailable()):
        pytest.skip(f"bwrap: {reason.reason}")
    limits = TimeLimits(move_ms=30_000, grace_ms=50)
    record = play_with("eats-memory", limits=limits, sandbox=sandbox)
    assert_only_the_villain_pays("memory exited", record)  # refused more, it may end by itself


def test_a_crash_is_told_with_its_signal() -> None:
    assert "SIGSEGV" in only_fault(play_with("crashes")).status


def test_an_exit_is_told_with_its_status_its_place_and_its_last_words() -> None:
    fault = only_fault(play_with("exits-in-mid-call"))
    assert (fault.status, fault.deal, fault.trick) == ("exit status 3", 1, None)
    assert fault.stderr.endswith("I give up")
    assert only_fault(play_with("exits-in-mid-trick")).trick == 3


def test_a_note_is_kept_up_to_its_limit() -> None:
    record = play_with("chatters", limits=TimeLimits(move_ms=5_000))
    assert [len(note.text) for note in record.notes] == [1_000] * 14
