"""Nobody thinks on another's time, and nobody pays for a host that has none to give."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from typing import Any

import pytest

from arena.process import Process
from arena.records import Fault, MatchRecord
from arena.referee.api import Clock, HostStalledError, RefereeRules, TimeLimits
from arena.referee.driver import play
from arena.referee.hosting import dismiss, greet
from tests.referee.links import CLOCK, GAME, PYTHON, a_table, python_bot, seated, start

LIMITS = TimeLimits(move_ms=400, grace_ms=50)


class Starved:
    """A running bot that, by its own account, waits for a processor all the time."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._began = time.perf_counter()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._process, name)

    def cpu_wait_ms(self) -> float:
        return (time.perf_counter() - self._began) * 1000


class Sleepwalker:
    """A clock of a referee that now and then gets no processor for a second after its wait."""

    def __init__(self) -> None:
        self._calls = 0
        self._lost_s = 0.0

    def now(self) -> float:
        self._calls += 1
        if self._calls == 2:
            self._lost_s += 1.0
        return time.perf_counter() + self._lost_s


def play_with_a_mute(
    rules: RefereeRules, *, link: Callable[[Process], Any] = lambda process: process,
    clock: Clock = CLOCK, villain: str = "mute",
) -> MatchRecord:  # fmt: skip
    commands = [python_bot("villain", villain), *[python_bot("fair")] * 3]
    links = [link(start(command)) for command in commands]
    names = ["a", "b", "c", "d"]
    seats = greet(links, names, GAME.name, GAME.variant("master"), TimeLimits(), CLOCK)
    try:
        return play(a_table(rules=rules), seats, clock)
    finally:
        dismiss(seats, CLOCK, rules.limits.grace_ms)


def test_a_silent_bot_on_an_idle_host_is_charged_without_a_mark() -> None:
    record = play_with_a_mute(RefereeRules(LIMITS))
    assert [fault.host_stalled for fault in record.faults] == [False]


def test_a_timeout_of_a_starved_bot_is_marked_and_by_default_charged() -> None:
    record = play_with_a_mute(RefereeRules(LIMITS), link=Starved)
    assert [(fault.host_stalled, fault.retired) for fault in record.faults] == [(True, True)]
    assert record.faults[0].as_dict()["host_stalled"] is True


def test_a_timeout_of_a_starved_bot_voids_the_match_if_the_organiser_says_so() -> None:
    with pytest.raises(HostStalledError, match="no processor"):
        play_with_a_mute(RefereeRules(LIMITS, on_host_stall="void"), link=Starved)


def test_a_referee_that_wakes_too_late_blames_the_host() -> None:
    rules = RefereeRules(LIMITS, on_host_stall="void")
    with pytest.raises(HostStalledError):
        play_with_a_mute(rules, clock=Sleepwalker(), villain="fair")


def test_a_crash_is_charged_however_busy_the_host_is() -> None:
    rules = RefereeRules(LIMITS, on_host_stall="void")
    record = play_with_a_mute(rules, link=Starved, villain="crashes")
    assert [fault.kind.value for fault in record.faults] == ["exited"]


def spins_of_a_ponderer(*, pause_idle: bool) -> int:
    slow = python_bot("villain", "late-always", "0.02")
    limits = TimeLimits(grace_ms=50)
    with seated([python_bot("villain", "ponders"), slow, slow, slow], limits) as seats:
        record = play(a_table(rules=RefereeRules(limits, pause_idle=pause_idle)), seats, CLOCK)
    assert record.faults == ()
    return sum(int(note.text) for note in record.notes)


def test_a_stopped_bot_does_not_think_on_the_time_of_others() -> None:
    assert spins_of_a_ponderer(pause_idle=True) * 5 < spins_of_a_ponderer(pause_idle=False)


def test_stopped_bots_hear_of_the_end_and_play_the_next_match() -> None:
    with seated([python_bot("fair")] * 4) as seats:
        for number in range(3):
            rules = RefereeRules(pause_idle=True)
            record = play(a_table(match=str(number), seed=str(number), rules=rules), seats, CLOCK)
            assert record.faults == ()
        assert all(seat.usable for seat in seats)
        assert all(end is not None for end in dismiss(seats, CLOCK, 5_000))


def test_a_retired_bot_is_stopped_by_nothing_but_its_end() -> None:
    rules = RefereeRules(LIMITS, pause_idle=True)
    record = play_with_a_mute(rules, villain="not-held")
    assert [fault.kind.value for fault in record.faults] == ["illegal-action"]


def faults_of_a_move_of(sleep_s: float, limits: TimeLimits) -> tuple[Fault, ...]:
    """The faults in a match of a bot that takes so long for its second move."""
    commands = [python_bot("villain", "late-once", str(sleep_s)), *[python_bot("fair")] * 3]
    with seated(commands, limits) as seats:
        record = play(a_table(rules=RefereeRules(limits)), seats, CLOCK)
    return record.faults


@pytest.mark.slow
def test_a_limit_holds_exactly_below_and_above() -> None:
    limits = TimeLimits(move_ms=2_000, grace_ms=50)
    assert all(fault.host_stalled for fault in faults_of_a_move_of(1.8, limits))
    assert [fault.kind.value for fault in faults_of_a_move_of(2.2, limits)] == ["timeout"]


@pytest.mark.slow
def test_64_bots_start_at_once() -> None:
    with seated([python_bot("fair")] * 64, TimeLimits(start_ms=60_000)) as seats:
        assert all(seat.usable for seat in seats)


def test_the_wait_for_a_processor_is_measured() -> None:
    core = max(os.sched_getaffinity(0))
    spin = [PYTHON, "-S", "-E", "-c", "while True: pass"]
    with contextlib.ExitStack() as stack:
        rivals = [stack.enter_context(start(spin, core=core)) for _ in range(3)]
        deadline = time.perf_counter() + 20
        while min(rival.cpu_wait_ms() for rival in rivals) < 20:
            assert time.perf_counter() < deadline
