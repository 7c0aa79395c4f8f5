"""Nobody thinks on another's time, and nobody pays for a host that has none to give."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from arena.process import Process
from arena.records import Fault, MatchRecord
from arena.referee.api import (
    Clock,
    HostStalledError,
    RefereeRules,
    RefereeStoppedError,
    TimeLimits,
)
from arena.referee.driver import play
from arena.referee.hosting import dismiss, greet
from arena.referee.seat import Seat
from arena.sandbox.api import Sandbox
from arena.sandbox.bubblewrap import Bubblewrap
from arena.sandbox.unconfined import Unconfined
from tests.referee.links import CLOCK, GAME, PYTHON, a_table, python_bot, seated, start

pytestmark = pytest.mark.quiet

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


@contextlib.contextmanager
def stopped_meanwhile(after_s: float, for_s: float) -> Iterator[None]:
    """This process is really stopped in the block, and goes on."""
    script = f"sleep {after_s}; kill -STOP $0; sleep {for_s}; kill -CONT $0"
    with subprocess.Popen(["sh", "-c", script, str(os.getpid())]):
        yield


def play_while_stopped(rules: RefereeRules) -> MatchRecord:
    """The referee is stopped while a bot takes 0.6 s for a move, of the 0.8 s that it may take."""
    commands = [python_bot("villain", "late-once", "0.6"), *[python_bot("fair")] * 3]
    with seated(commands) as seats, stopped_meanwhile(0.4, 1.0):
        return play(a_table(rules=rules), seats, CLOCK)


def test_a_match_whose_referee_was_stopped_is_void_by_default() -> None:
    with pytest.raises(RefereeStoppedError, match="the referee was stopped for"):
        play_while_stopped(RefereeRules(TimeLimits(move_ms=800)))


def test_an_organiser_may_have_a_stop_of_the_referee_charged() -> None:
    record = play_while_stopped(RefereeRules(TimeLimits(move_ms=800), on_host_stall="charge"))
    assert [(f.kind.value, f.host_stalled) for f in record.faults] == [("timeout", True)]


def test_nobody_starts_too_late_because_the_referee_was_stopped() -> None:
    slow = python_bot("villain", "slow-start")  # 0.3 s
    with stopped_meanwhile(0.1, 3.0), seated([slow] * 2, TimeLimits(start_ms=2_500)) as seats:
        assert [seat.breach for seat in seats] == [None, None]


def test_the_clock_of_a_match_stands_still_while_the_machine_is_suspended() -> None:
    assert CLOCK.now is time.monotonic
    implementation = time.get_clock_info("monotonic").implementation
    assert implementation == "clock_gettime(CLOCK_MONOTONIC)"  # Linux: no time while suspended


def test_a_crash_is_charged_however_busy_the_host_is() -> None:
    rules = RefereeRules(LIMITS, on_host_stall="void")
    record = play_with_a_mute(rules, link=Starved, villain="crashes")
    assert [fault.kind.value for fault in record.faults] == ["exited"]


class OthersAreStopped:
    """An observer that waits, before each request, until every other bot is stopped."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        self._pids = [program_of(seat.link.init) for seat in seats]  # type: ignore[attr-defined]
        self.requests = 0

    def sent(self, seat: int, data: bytes) -> None:
        if b'"type":"act"' in data:
            self.requests += 1
            for other in {0, 1, 2, 3} - {seat}:
                wait_until(lambda pid=self._pids[other]: state_of(pid) == "T")

    def received(self, seat: int, data: bytes) -> None: ...


def program_of(init: int) -> int:
    """The bot itself: the child of its namespace's init, where it has one."""
    children = Path(f"/proc/{init}/task/{init}/children").read_text().split()
    return int(children[0]) if children else init


def state_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def wait_until(happens: Callable[[], bool]) -> None:
    deadline = time.perf_counter() + 60
    while not happens():
        assert time.perf_counter() < deadline


@pytest.mark.parametrize("provider", [Unconfined, Bubblewrap])
def test_all_bots_are_stopped_but_the_one_that_is_asked(provider: Callable[[], Sandbox]) -> None:
    sandbox = provider()
    if reason := sandbox.unavailable():
        pytest.skip(f"{sandbox.name}: {reason.reason}")
    with seated([python_bot("fair")] * 4, sandbox=sandbox) as seats:
        observer = OthersAreStopped(seats)
        record = play(a_table(rules=RefereeRules(pause_idle=True)), seats, CLOCK, [observer])
    assert record.faults == ()
    assert observer.requests == 56


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
        wait_until(lambda: min(rival.cpu_wait_ms() for rival in rivals) >= 20)
