"""The size of a difference: intervals that hold at any time, and Elo."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.regress.intervals import (
    SPREAD_UNTIL_MEASURED,
    confidence_sequence,
    elo,
    fixed_sets,
    spread,
)
from arena.regress.sums import Sums


def test_the_sequence_covers_the_truth_at_all_times_together():
    rng = np.random.default_rng(5)
    missed = 0
    for _ in range(150):
        sums = Sums()
        for number, value in enumerate(rng.normal(0.3, 1.4, 1200).tolist()):
            sums = sums.add(value)
            low, high = confidence_sequence(sums)
            if number > 30 and not low <= 0.3 <= high:
                missed += 1
                break
    assert missed / 150 <= 0.05


def test_the_sequence_is_wider_than_an_interval_for_one_moment_but_not_by_much():
    sums = Sums(500, 0.0, 1000.0)
    low, high = confidence_sequence(sums)
    fixed = 1.96 * math.sqrt(sums.guarded_variance / 500)
    assert low == -high
    assert 1.3 < high / fixed < 1.8


def test_nothing_is_known_before_the_first_set():
    assert confidence_sequence(Sums()) == (-math.inf, math.inf)


@given(st.floats(-3, 3), st.integers(1, 12), st.floats(1, 10))
def test_elo_is_that_of_the_chance_to_be_ahead(points, deals, sd):
    q = NormalDist().cdf(points * math.sqrt(deals) / sd)
    if 1e-12 < q < 1 - 1e-12:
        assert elo(points, deals, sd) == pytest.approx(
            400 * math.log10(q / (1 - q)), rel=1e-3, abs=1e-9
        )
    assert elo(-points, deals, sd) == pytest.approx(-elo(points, deals, sd), abs=1e-9)


def test_elo_stays_finite_where_no_bot_ever_goes():
    assert math.isfinite(elo(1e9, 4, 4.2))


def test_the_spread_is_measured_once_there_is_enough_to_measure():
    assert spread(Sums()) == SPREAD_UNTIL_MEASURED
    assert spread(Sums().add_all([0.0] * 200)) == SPREAD_UNTIL_MEASURED
    assert spread(Sums().add_all([3.0, -3.0] * 100)) == pytest.approx(3, rel=0.01)


def test_a_test_of_fixed_size_would_need_the_textbook_number_of_sets():
    assert fixed_sets(1.0, 0.0, 0.1, 0.05, 0.05) == 1083  # (2 * 1.6449 / 0.1)²
