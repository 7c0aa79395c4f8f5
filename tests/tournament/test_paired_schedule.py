"""The sets of a regression test keep what a tournament expects of a schedule."""

from collections import Counter

import pytest

from arena.errors import ConfigError
from arena.regress.plan import players
from arena.schedule.law import lawful_seatings
from arena.tournament.paired import PairedSchedule


@pytest.mark.parametrize("seats", [2, 3, 4, 6, 16])
@pytest.mark.parametrize("field", [0, 1, 2, 3, 6])
def test_paired_sets_keep_the_law_of_a_deal_set_and_are_two_matches_each(field, seats):
    schedule = PairedSchedule(field)
    seatings = list(lawful_seatings(schedule, players(field), 50, "any", seats))
    assert len(seatings) == schedule.count(players(field), 50, seats) == 100
    tested = Counter((seat, who) for s in seatings for seat, who in enumerate(s.seats) if who < 2)
    for seat in range(seats):
        assert tested[seat, 0] == tested[seat, 1] > 0


def test_another_number_of_bots_than_planned_is_refused():
    with pytest.raises(ConfigError, match="seats 6 players, not 4"):
        PairedSchedule(2).seatings(4, 1, "any")
