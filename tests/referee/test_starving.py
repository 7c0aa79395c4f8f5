"""Who takes the core from others is charged for it, and never those who are late for want of it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence

import pytest

from arena.records import MatchRecord
from arena.referee.api import RefereeRules, TimeLimits
from arena.referee.driver import play
from arena.referee.hosting import dismiss, greet
from arena.referee.seat import Seat
from arena.sandbox.bubblewrap import Bubblewrap
from arena.sandbox.landlock import Landlock
from arena.sandbox.unconfined import Unconfined
from arena.tournament.cores import own_core
from tests.referee.links import CLOCK, GAME, a_table, python_bot, start

pytestmark = pytest.mark.quiet  # who takes the core is measured here, by us and by nobody else

LIMITS = TimeLimits(move_ms=400, grace_ms=50)
THINKER = python_bot("thinker", "20")


@contextlib.contextmanager
def table_of(commands: Sequence[Sequence[str]], provider=Bubblewrap) -> Iterator[list[Seat]]:
    """Greeted bots on one core, with the referee."""
    sandbox = provider()
    if reason := sandbox.unavailable():
        pytest.skip(f"{sandbox.name}: {reason.reason}")
    with own_core() as core:
        links = [start(command, sandbox=sandbox, core=core) for command in commands]
        names = [f"bot{number}" for number in range(len(links))]
        seats = greet(links, names, GAME.name, GAME.variant("master"), TimeLimits(), CLOCK)
        try:
            yield seats
        finally:
            dismiss(seats, CLOCK, LIMITS.grace_ms)


def played_with(burner: Sequence[str], rules: RefereeRules, provider=Bubblewrap) -> MatchRecord:
    with table_of([burner, THINKER, THINKER, THINKER], provider) as seats:
        return play(a_table(rules=rules), seats, CLOCK)


def faults_of(record: MatchRecord) -> list[tuple[int, str]]:
    return [(fault.seat, fault.kind.value) for fault in record.faults]


@pytest.mark.parametrize("provider", [Bubblewrap, Unconfined])
def test_sixty_children_that_spin_are_charged_and_nobody_who_is_late_for_them(provider):
    record = played_with(python_bot("burner", "spins", "60"), RefereeRules(LIMITS), provider)
    assert faults_of(record) == [(0, "idle-cpu")]
    assert record.ranks[0] == 4
    assert record.faults[0].retired
    assert "while bot" in record.faults[0].detail


def test_children_that_nobody_waits_for_are_charged_too():
    slow = python_bot("thinker", "60")
    with table_of([python_bot("burner", "hides", "28"), slow, slow, slow]) as seats:
        record = play(a_table(rules=RefereeRules(LIMITS)), seats, CLOCK)
    assert faults_of(record) == [(0, "idle-cpu")]


def test_strikes_forgive_no_bot_that_takes_the_core():
    record = played_with(python_bot("burner", "spins", "60"), RefereeRules(LIMITS, strikes=5))
    assert faults_of(record) == [(0, "idle-cpu")]


def test_a_bot_that_waits_at_no_table_is_charged_at_its_next_one():
    patient = RefereeRules(TimeLimits(move_ms=60_000, match_ms=600_000), idle_cpu_ms=0)
    with table_of(
        [python_bot("burner", "spins", "60"), *[python_bot("fair")] * 3, *[THINKER] * 4]
    ) as (
        burner,
        *fair,
    ):
        fair, thinkers = fair[:3], fair[3:]
        assert play(a_table(rules=patient, seed="1"), [burner, *fair], CLOCK).faults == ()
        table = a_table(rules=RefereeRules(LIMITS), seed="2")
        record = play(table, thinkers, CLOCK, bystanders=lambda: [burner, *fair])
        assert faults_of(record) == []
        assert burner.link.exit(0) is not None
        assert all(seat.link.exit(0) is None for seat in fair)
        record = play(a_table(rules=RefereeRules(LIMITS), seed="3"), [burner, *fair], CLOCK)
        assert faults_of(record) == [(0, "idle-cpu")]


def test_what_is_used_outside_its_turns_is_told_and_charged_beyond_the_allowance():
    burner = python_bot("burner", "spins", "1")
    lazy = TimeLimits(move_ms=5_000, grace_ms=50)
    record = played_with(burner, RefereeRules(lazy))
    assert record.faults == ()
    assert record.timing[0].idle_cpu_ms is not None
    assert record.timing[0].idle_cpu_ms > 100
    assert record.as_dict()["timing"][0]["idle_cpu_ms"] == record.timing[0].idle_cpu_ms
    assert max(record.timing[seat].idle_cpu_ms or 0 for seat in (1, 2, 3)) < 100
    record = played_with(burner, RefereeRules(lazy, idle_cpu_ms=100))
    assert faults_of(record) == [(0, "idle-cpu")]
    assert "100 ms are allowed" in record.faults[0].detail
    assert record.ranks[0] == 4


def test_pondering_is_nobodys_fault_where_it_is_allowed():
    lazy = TimeLimits(move_ms=5_000, grace_ms=50)
    record = played_with(python_bot("burner", "spins", "1"), RefereeRules(lazy, idle_cpu_ms=0))
    assert record.faults == ()


def test_a_bot_that_is_slow_by_itself_is_late_whoever_sits_with_it():
    commands = [python_bot("villain", "late-once", "0.6"), *[THINKER] * 3]
    with table_of(commands) as seats:
        record = play(a_table(rules=RefereeRules(LIMITS)), seats, CLOCK)
    assert faults_of(record) == [(0, "timeout")]


def test_a_match_of_quick_bots_is_looked_at_seldom():
    with table_of([python_bot("fair")] * 4) as seats:
        looks = []
        for seat in seats:
            usage = seat.link.usage
            seat.link.usage = lambda usage=usage: looks.append(1) or usage()
        began = time.perf_counter()
        for seed in "12345678":
            assert play(a_table(seed=seed), seats, CLOCK).faults == ()
        spans = (time.perf_counter() - began) / 0.5
    assert len(looks) <= 4 * (1 + spans)


class OthersRest:
    """An observer that sees, before each request, that the burner's tree gets no processor time."""

    def __init__(self, burner: Seat) -> None:
        self._burner = burner
        self.worst_ms = 0.0
        self.seen = 0

    def sent(self, seat: int, data: bytes) -> None:
        if b'"type":"act"' in data and seat != 0:
            before = self._burner.link.usage()
            time.sleep(0.02)
            after = self._burner.link.usage()
            assert before is not None
            assert after is not None
            self.worst_ms = max(self.worst_ms, after.cpu_ms - before.cpu_ms)
            self.seen += 1

    def received(self, seat: int, data: bytes) -> None: ...


@pytest.mark.parametrize("how", ["spins", "hides", "wakes"])
def test_a_pause_reaches_the_whole_tree_whatever_it_does(how: str):
    commands = [python_bot("burner", how, "20"), *[python_bot("fair")] * 3]
    with table_of(commands) as seats:
        observer = OthersRest(seats[0])
        lazy = TimeLimits(move_ms=60_000, match_ms=600_000, grace_ms=50)
        rules = RefereeRules(lazy, pause_idle=True)
        record = play(a_table(rules=rules), seats, CLOCK, [observer])
    assert record.faults == ()
    assert observer.seen == 42
    assert observer.worst_ms <= 20


def test_a_pause_reaches_every_thread_under_landlock():
    fair = ["/usr/bin/python3", "fair.py"]  # its uid cannot reach ours where that is root's own
    with table_of([fair] * 4, Landlock) as seats:
        record = play(a_table(rules=RefereeRules(pause_idle=True)), seats, CLOCK)
        usage = seats[0].link.usage()
    assert record.faults == ()
    assert usage is not None
    assert usage.cpu_ms > 0
