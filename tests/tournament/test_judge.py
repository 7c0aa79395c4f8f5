"""The judge takes sets in order, whole or not at all, whoever played them and however late."""

import random
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.regress.plan import CANDIDATE, paired_sets
from arena.regress.terms import Terms
from arena.regress.verdict import Outcome
from arena.tournament.judge import Judge, Rules

TERMS = Terms(-0.05, 0.05, max_sets=60)
NAMES = ("mine", "mine", "other")


def records_of(sets, seed, *, lead=0.0, field=0, ms=(1.0, 1.0)):
    """Records of a test in which the candidate earns `lead` points a deal more than its share."""
    rng = random.Random(seed)
    records = []
    for planned in islice(paired_sets(field), sets):
        for number, table in enumerate(planned.tables, start=1):
            records.append(
                {
                    "match": f"{planned.number + 1}-{number}",
                    "scores": [rng.randint(-5, 8) + lead * (who == CANDIDATE) for who in table],
                    "faults": [],
                    "timing": [
                        {"decisions": 10, "total_ms": 10 * ms[who != CANDIDATE]} for who in table
                    ],
                }
            )
    return records


def judged(records, *, field=0, tolerance=None):
    judge = Judge(Rules(TERMS, field, 1, NAMES, tolerance))
    for record in records:
        judge.hear(record)
    return judge


@settings(max_examples=30)
@given(st.integers(0, 3), st.randoms(use_true_random=False), st.sampled_from([0.0, 3.0, -3.0]))
def test_the_order_in_which_matches_arrive_changes_nothing(seed, shuffler, lead):
    records = records_of(60, seed, lead=lead)
    there = judged(records)
    shuffled = records[:]
    shuffler.shuffle(shuffled)
    back = judged(shuffled)
    assert there.ending == back.ending
    assert there.trial == back.trial


def test_a_set_is_taken_whole_or_not_at_all():
    records = records_of(3, 1)
    judge = judged([records[0], records[2], records[3]])
    assert judge.trial.sets == 0
    judge.hear(records[1])
    assert judge.trial.sets == 2


def test_what_is_heard_twice_counts_once():
    records = records_of(3, 1)
    assert judged(records + records).trial == judged(records).trial


def test_after_the_verdict_nothing_is_taken():
    records = records_of(60, 1, lead=20)
    judge = judged(records)
    assert judge.ending.outcome is Outcome.ACCEPTED
    assert judge.trial.sets == 32


def with_fault(records, index, seat, **more):
    fault = {"seat": seat, "kind": "timeout", "deal": 2, "trick": 1, "detail": "took 9 s", **more}
    records[index] = {**records[index], "faults": [fault]}
    return records


def seat_of(player, match):
    """A seat that a player holds in the nth match (from 0) of a duel."""
    planned = next(islice(paired_sets(), match // 2, None))
    return planned.tables[match % 2].index(player)


def test_a_fault_of_the_candidate_fails_the_test_at_once_however_well_it_scores():
    judge = judged(with_fault(records_of(60, 1, lead=20), 9, seat_of(0, 9)))
    assert judge.ending.outcome is Outcome.FAULT
    assert judge.ending.reason == "the candidate: timeout in match 5-2, deal 2: took 9 s"
    assert judge.trial.sets == 4


def test_a_fault_of_the_base_leaves_the_test_undecided():
    judge = judged(with_fault(records_of(60, 1, lead=20), 9, seat_of(1, 9)))
    assert judge.ending.outcome is Outcome.UNDECIDED
    assert "a fault of the base: timeout" in judge.ending.reason


def test_where_both_fail_in_a_set_the_candidate_is_named():
    records = with_fault(records_of(60, 1), 8, seat_of(1, 8))
    judge = judged(with_fault(records, 9, seat_of(0, 9)))
    assert judge.ending.outcome is Outcome.FAULT


def test_a_fault_of_the_field_is_named():
    records = records_of(10, 1, field=1)
    judge = judged(with_fault(records, 0, 3), field=1)
    assert judge.ending.outcome is Outcome.UNDECIDED
    assert "a fault of other" in judge.ending.reason


def test_a_timeout_on_a_machine_that_stalled_is_nobodys_failure():
    judge = judged(with_fault(records_of(10, 1), 0, seat_of(0, 0), host_stalled=True))
    assert judge.ending.outcome is Outcome.UNDECIDED
    assert "this machine stalled" in judge.ending.reason


@pytest.mark.parametrize(
    ("candidate_ms", "outcome"), [(1.1, Outcome.ACCEPTED), (1.3, Outcome.SLOWER)]
)
def test_a_slower_candidate_fails_by_that_name_if_asked(candidate_ms, outcome):
    records = records_of(60, 1, lead=20, ms=(candidate_ms, 1.0))
    judge = judged(records, tolerance=1.2)
    assert judge.ending.outcome is outcome
    assert judged(records).ending.outcome is Outcome.ACCEPTED
