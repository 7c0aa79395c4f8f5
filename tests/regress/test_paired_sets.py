"""The plan of deal sets and what is read from their scores."""

from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.regress.observation import observe
from arena.regress.plan import BASE, CANDIDATE, FIRST_OF_FIELD, paired_sets, players

scores = st.lists(st.integers(-130, 130).map(lambda tenths: tenths / 10), min_size=4, max_size=4)


def test_a_duel_takes_the_three_complementary_seatings_in_turn():
    tables = [planned.tables for planned in islice(paired_sets(), 4)]
    assert tables == [
        ((0, 1, 0, 1), (1, 0, 1, 0)),
        ((0, 0, 1, 1), (1, 1, 0, 0)),
        ((0, 1, 1, 0), (1, 0, 0, 1)),
        ((0, 1, 0, 1), (1, 0, 1, 0)),
    ]


@pytest.mark.parametrize("field", range(1, 8))
def test_against_a_field_both_meet_the_same_three_in_the_same_seats(field):
    for planned in islice(paired_sets(field), 200):
        with_candidate, with_base = planned.tables
        for ours, theirs in zip(with_candidate, with_base, strict=True):
            if ours == CANDIDATE:
                assert theirs == BASE
            else:
                assert theirs == ours + field
                assert FIRST_OF_FIELD <= ours < FIRST_OF_FIELD + field


@pytest.mark.parametrize("field", range(8))
def test_no_player_sits_twice_in_a_seat_on_the_same_cards(field):
    for number, planned in enumerate(islice(paired_sets(field), 200)):
        assert planned.number == number
        held = Counter((who, seat) for table in planned.tables for seat, who in enumerate(table))
        assert max(held.values()) == 1
        assert max(who for who, _ in held) < players(field)


@pytest.mark.parametrize("field", range(1, 8))
def test_of_a_field_all_are_met_equally_often_in_every_seat(field):
    met = Counter()
    ways = {1: 1, 2: 3}.get(field, (field - 1) * (field - 2))
    for planned in islice(paired_sets(field), 4 * field * ways):
        met.update((who, seat) for seat, who in enumerate(planned.tables[0]) if who != CANDIDATE)
    assert len(met) == 4 * field
    assert len(set(met.values())) == 1


@given(scores, st.integers(0, 20))
def test_equal_players_differ_by_nothing_whatever_the_cards(totals, number):
    planned = next(islice(paired_sets(), number, None))
    seen = observe(planned, [totals, totals], 4)
    assert seen.difference == 0  # exactly: one that is not counts as a set that differed
    assert seen.same


@given(scores, scores, st.integers(0, 20), st.sampled_from([0, 1, 2, 3, 5]))
def test_exchanging_candidate_and_base_exchanges_the_sign(first, second, number, field):
    planned = next(islice(paired_sets(field), number, None))
    there = observe(planned, [first, second], 1)
    back = observe(planned, [second, first], 1)
    assert there.difference == pytest.approx(-back.difference)


def test_the_difference_is_in_points_a_deal():
    planned = next(paired_sets())
    seen = observe(planned, [[8, 4, 8, 4], [4, 8, 4, 8]], 4)
    assert seen.difference == 1.0
    assert seen.gaps == (2.0,) * 8
    assert not seen.same


def test_against_a_field_only_the_tested_seat_counts():
    planned = next(islice(paired_sets(3), 1, None))
    assert planned.tables[0].index(CANDIDATE) == 1
    seen = observe(planned, [[50, 8, 0, 0], [0, 6, 90, 0]], 2)
    assert seen.difference == 1.0
