"""What every tournament format keeps, and what each of them is for."""

from collections import Counter
from itertools import combinations, groupby, islice, permutations

import pytest

from arena.errors import ConfigError, PluginError
from arena.plugins import build_manager
from arena.schedule.all_tables import AllTables
from arena.schedule.api import Seating
from arena.schedule.gauntlet import Gauntlet
from arena.schedule.head_to_head import HEAD_TO_HEAD, THREE_TO_ONE
from arena.schedule.law import lawful_seatings
from arena.tables import equal_shares

BUILT_IN = {
    schedule.name: schedule
    for given in build_manager(entry_points=False).hook.arena_schedules()
    for schedule in given
}
CASES = [
    *(("round-robin", bots, 4) for bots in (2, 3, 4, 5, 13, 40)),
    *(("all-tables", bots, 4) for bots in (4, 5, 7)),
    *(("gauntlet", bots, 4) for bots in (4, 5, 9, 30)),
    *(("head-to-head", bots, 4) for bots in (2, 3, 5)),
    *(("aaab", bots, 4) for bots in (2, 3, 5)),
    *(("round-robin", bots, seats) for seats in (2, 3, 6, 16) for bots in (2, 3, 5, 8)),
    *((name, 7, seats) for name in ("all-tables", "gauntlet") for seats in (2, 3, 6)),
    *((name, 3, seats) for name in ("head-to-head", "aaab") for seats in (2, 3, 6, 16)),
]


def deal_sets(schedule, bots, orbits, seats=4):
    seatings = schedule.seatings(bots, orbits, "a seed", seats)
    return [[s.seats for s in group] for _, group in groupby(seatings, key=lambda s: s.deal_set)]


def test_the_formats_are_registered_under_their_names():
    assert list(BUILT_IN) == ["round-robin", "all-tables", "gauntlet", "head-to-head", "aaab"]


@pytest.mark.parametrize(("name", "bots", "seats"), CASES)
def test_every_format_keeps_the_law_of_a_deal_set_and_counts_right(name, bots, seats):
    schedule = BUILT_IN[name]
    seatings = list(lawful_seatings(schedule, bots, 7, "a seed", seats))
    assert len(seatings) == schedule.count(bots, 7, seats)
    assert {len(s.seats) for s in seatings} == {seats}
    assert {bot for s in seatings for bot in s.seats} == set(range(bots))


@pytest.mark.parametrize(("name", "bots", "seats"), CASES)
def test_every_format_gives_each_bot_each_seat_equally_often_in_every_orbit(name, bots, seats):
    seated = Counter()
    for seating in BUILT_IN[name].seatings(bots, 1, "a seed", seats):
        seated.update(enumerate(seating.seats))
    for bot in range(bots):
        assert len({seated[seat, bot] for seat in range(seats)}) == 1


@pytest.mark.parametrize(("name", "bots", "seats"), CASES)
def test_fewer_orbits_are_the_beginning_of_more(name, bots, seats):
    schedule = BUILT_IN[name]
    three = list(schedule.seatings(bots, 3, "a seed", seats))
    assert list(islice(schedule.seatings(bots, 9, "a seed", seats), len(three))) == three


@pytest.mark.parametrize("name", [*BUILT_IN])
def test_at_a_table_of_two_every_deal_set_is_a_pair_both_ways_round(name):
    """On the same chance, so that luck cancels; and over whole rounds every pair meets alike."""
    met = Counter()
    for tables in deal_sets(BUILT_IN[name], 6, 6, seats=2):
        (a, b), other = tables
        assert other == (b, a)
        met[frozenset((a, b))] += 1
    if name == "gauntlet":
        assert met == Counter({frozenset((0, bot)): 6 for bot in range(1, 6)})
    else:
        assert set(met) == {frozenset(pair) for pair in combinations(range(6), 2)}
        assert len(set(met.values())) == 1


def test_divisions_of_a_large_table_are_few_and_each_is_equal():
    for seats in range(2, 17):
        patterns = equal_shares(seats)
        assert 1 <= len(patterns) <= 20
        assert {abs(2 * sum(pattern) - seats) for pattern in patterns} == {seats % 2}
        assert all(pattern[0] == 0 for pattern in patterns)  # up to an exchange of the two


@pytest.mark.parametrize(
    ("name", "bots"), [("round-robin", 1), ("all-tables", 3), ("gauntlet", 3), ("aaab", 1)]
)
def test_a_field_too_small_is_refused_before_anything_is_played(name, bots):
    schedule = BUILT_IN[name]
    with pytest.raises(ConfigError, match="bots"):
        schedule.seatings(bots, 1, "a seed")
    with pytest.raises(ConfigError, match="bots"):
        schedule.count(bots, 1)


def test_all_tables_plays_every_combination_in_all_24_seatings_within_six_orbits():
    seen = Counter(tables for deal_set in deal_sets(AllTables(), 6, 6) for tables in deal_set)
    assert seen == Counter(
        seats for four in combinations(range(6), 4) for seats in permutations(four)
    )


def test_in_a_gauntlet_the_new_bot_sits_in_all_four_seats_on_the_same_cards():
    for tables in deal_sets(Gauntlet(), 8, 5):
        assert sorted(table.index(0) for table in tables) == [0, 1, 2, 3]
        assert len({frozenset(table) for table in tables}) == 1


def test_in_a_gauntlet_all_of_the_pool_are_met_equally_often():
    met = Counter(bot for tables in deal_sets(Gauntlet(), 8, 1) for bot in tables[0])
    assert {met[bot] for bot in range(1, 8)} == {3}


def test_a_gauntlet_without_a_pool_says_what_would_make_one():
    with pytest.raises(ConfigError, match="name fewer `challengers`"):
        Gauntlet(challengers=5).count(7, 1)
    with pytest.raises(ConfigError, match=r"\(add bots, or take"):
        Gauntlet().count(3, 1)


def test_challengers_meet_the_same_triples_and_never_each_other():
    triples = {0: [], 1: []}
    for tables in deal_sets(Gauntlet(challengers=2), 8, 4):
        challenger, *triple = tables[0]
        assert challenger in (0, 1)
        assert min(triple) >= 2
        triples[challenger].append(triple)
    assert triples[0] == triples[1]


def test_head_to_head_plays_the_six_seatings_of_two_bots_each_beside_its_complement():
    pairs = deal_sets(HEAD_TO_HEAD, 2, 1)
    assert sorted(table for pair in pairs for table in pair) == sorted(
        set(permutations((0, 0, 1, 1)))
    )
    for one, other in pairs:
        assert other == tuple(1 - bot for bot in one)


def test_three_to_one_puts_the_single_bot_in_every_seat():
    pairs = deal_sets(THREE_TO_ONE, 2, 1)
    singles = [
        table.index(single) for pair in pairs for table, single in zip(pair, (1, 0), strict=True)
    ]
    assert sorted(singles) == [0, 0, 1, 1, 2, 2, 3, 3]


class Lawless:
    name = "lawless"
    summary = "breaks the law of a deal set"

    def __init__(self, *seatings):
        self.given = seatings

    def seatings(self, bots, orbits, seed):  # as schedules were written for four seats alone
        return iter(self.given)

    def count(self, bots, orbits):
        return len(self.given)


@pytest.mark.parametrize(
    ("seatings", "what"),
    [
        ([Seating(0, (0, 1, 2, 3)), Seating(0, (3, 1, 0, 2))], "bot 1 twice in seat 1"),
        ([Seating(0, (0, 1, 2, 4))], "bot 4 of 4"),
        ([Seating(0, (0, 1, 2, 3)), Seating(2, (0, 1, 2, 3))], "deal set 2 follows 0"),
    ],
)
def test_a_schedule_that_breaks_its_promise_is_refused_by_name(seatings, what):
    with pytest.raises(PluginError, match=rf"schedule 'lawless'.*{what}"):
        list(lawful_seatings(Lawless(*seatings), 4, 1, "a seed"))


def test_a_schedule_written_for_tables_of_four_plays_them_and_is_refused_for_other_games():
    schedule = Lawless(Seating(0, (0, 1, 2, 3)))
    assert len(list(lawful_seatings(schedule, 4, 1, "a seed"))) == 1
    with pytest.raises(ConfigError, match="seats tables of four, and the game has 3 seats"):
        list(lawful_seatings(schedule, 4, 1, "a seed", seats=3))
