"""A machine that starves bots is told from bots that are slow."""

from __future__ import annotations

import random

import pytest

from arena.records import BotId, Fault, FaultKind, MatchRecord
from arena.tournament.cluster.ledger import LOOK, Ledger
from arena.tournament.plan import MatchSpec, Outcome


def outcome(number: int, kind: FaultKind | None) -> Outcome:
    spec = MatchSpec(number, f"{number + 1}-1", f"set {number}", number, "seed", (0, 1, 2, 3))
    faults = () if kind is None else (Fault(0, kind, "late"),)
    seats = (BotId("b", "1", "0"),) * 4
    scores, ranks = (0, 0, 0, 0), (1, 1, 1, 1)
    record = MatchRecord(
        spec.match, "set", "callbreak", {}, "seed", "now", seats, (), scores, ranks, faults
    )
    return Outcome(spec, record)


def enter(ledger: Ledger, worker: str, rate: float, matches: int, chance: random.Random) -> int:
    """Matches with timeouts at that rate; how many were kept back."""
    return sum(
        ledger.enter(
            worker,
            outcome(number, FaultKind.TIMEOUT if chance.random() < rate else None),
            alone=False,
        )
        for number in range(matches)
    )


def test_a_worker_whose_bots_always_time_out_is_accused_and_its_timeouts_are_returned():
    ledger, chance = Ledger(), random.Random(1)
    enter(ledger, "good", 0.0, 40, chance)
    kept = enter(ledger, "bad", 1.0, LOOK, chance)
    assert ledger.is_due("bad")
    accusation = ledger.accusation("bad")
    assert "timed out in 10 of its last 10 deal sets, elsewhere in 0 of 40" in accusation
    assert len(ledger.strike_out("bad")) == kept == LOOK


@pytest.mark.parametrize("rate", [0.0, 0.05, 0.3, 0.8, 1.0])
def test_slow_bots_accuse_no_worker(rate):
    chance, accused = random.Random(2), 0
    for _ in range(300):
        ledger = Ledger()
        for worker in ("a", "b", "c"):
            enter(ledger, worker, rate, 30, chance)
        accused += any(ledger.accusation(worker) for worker in ("a", "b", "c"))
    assert accused <= 1


def test_while_there_is_too_little_to_compare_with_a_worker_is_neither_accused_nor_cleared():
    ledger = Ledger()
    enter(ledger, "a", 0.0, 12, random.Random(6))
    enter(ledger, "b", 1.0, 4, random.Random(7))
    assert not ledger.accusation("b")
    assert not ledger.clears("b")
    enter(ledger, "a", 0.0, 60, random.Random(8))
    assert ledger.accusation("b")


def test_one_deal_set_that_is_too_hard_for_a_bot_accuses_no_worker():
    ledger = Ledger()
    enter(ledger, "a", 0.0, 60, random.Random(5))
    for _ in range(LOOK):
        ledger.enter("b", outcome(0, FaultKind.TIMEOUT), alone=False)
    assert not ledger.accusation("b")


def test_what_is_kept_back_of_a_good_worker_counts_after_the_next_look():
    ledger = Ledger()
    for worker in ("a", "b"):
        assert ledger.enter(worker, outcome(0, FaultKind.TIMEOUT), alone=False)
        assert not ledger.enter(worker, outcome(1, None), alone=False)
    assert not ledger.is_due("a")
    enter(ledger, "a", 0.0, LOOK, random.Random(3))
    assert ledger.is_due("a")
    assert not ledger.accusation("a")
    assert ledger.clears("a")
    assert [o.spec.number for o in ledger.release("a")] == [0]
    assert ledger.keeping_back() == ["b"]


def test_a_worker_without_others_is_not_judged():
    ledger = Ledger()
    assert not ledger.enter("only", outcome(0, FaultKind.TIMEOUT), alone=True)
    enter(ledger, "only", 1.0, 50, random.Random(4))
    assert not ledger.accusation("only")


def test_a_fault_that_no_machine_brings_about_is_not_kept_back():
    ledger = Ledger()
    for kind in (FaultKind.MALFORMED, FaultKind.ILLEGAL_ACTION, FaultKind.EXITED):
        assert not ledger.enter("a", outcome(0, kind), alone=False)
