"""Points, wins and seats, by hand and by simulation."""

import random
import statistics as by_hand

import numpy as np
import pytest

from arena.ratings.api import Result
from arena.ratings.statistics import (
    Deals,
    clustered_means,
    count_calls,
    place_effects,
    statistics_of,
)


def match(bots: str, scores: list[float], deal_set: str = "", retired: str = "") -> Result:
    return Result(tuple(bots), tuple(scores), tuple(b in retired for b in bots), deal_set, 2)


def test_points_are_a_mean_over_deals_with_the_error_of_independent_sets() -> None:
    scores = [4.0, 6.5, -3.1, 8.0, 0.2]
    found = statistics_of([match("ab", [score, 0], str(n)) for n, score in enumerate(scores)])[0]
    points = found["a"].points_per_deal
    assert points is not None
    assert points.value == pytest.approx(by_hand.mean(scores) / 2)
    assert points.se == pytest.approx(by_hand.stdev(scores) / 2 / 5**0.5)
    assert found["a"].points_per_match.value == pytest.approx(by_hand.mean(scores))


def test_matches_of_one_deal_set_count_as_one_for_the_error() -> None:
    once = [match("ab", [n % 5, 0], str(n)) for n in range(20)]
    errors = [statistics_of(once * times)[0]["a"].points_per_match.se for times in (1, 4)]
    assert errors[0] == pytest.approx(errors[1])


def test_wins_are_shared_at_a_tie_and_lost_by_a_fault() -> None:
    found, _ = statistics_of(
        [
            match("abcd", [5, 3, 2, 1]),
            match("abcd", [5, 5, 2, 1]),
            match("abcd", [5, 3, 2, 1], retired="a"),
            match("aabc", [5, 5, 2, 1]),
            match("aabc", [5, 2, 5, 1]),
            match("abcd", [1, 2, 3, 4], retired="abcd"),
        ]
    )
    assert {bot: (s.wins, s.shared_wins, s.matches) for bot, s in found.items()} == {
        "a": (2, 2, 6),
        "b": (1, 2, 6),
        "c": (0, 0, 6),
        "d": (1, 0, 4),
    }
    assert found["a"].retired == 2


def test_points_a_deal_need_the_number_of_deals() -> None:
    unknown = Result(("a", "c"), (1, 2), (False, False), "", 0)
    found, _ = statistics_of([match("ab", [1, 2]), unknown])
    assert found["a"].points_per_deal is None
    assert found["b"].points_per_deal is not None


def test_the_gain_of_a_seat_is_found_whoever_sits_there() -> None:
    """Bot a is 8 points better than b and sits in seat 0 more often; seat 0 itself gains 1."""
    rng = random.Random(5)
    results = []
    for number in range(4000):
        a_first = number % 4 != 0
        scores = [rng.gauss(0, 2) + (2 if seat == 0 else 0) for seat in range(2)]
        scores[0 if a_first else 1] += 16
        results.append(match("ab" if a_first else "ba", scores, str(number)))
    effects = statistics_of(results)[1]
    assert effects[0].value - effects[1].value == pytest.approx(1, abs=0.15)
    assert effects[0].se == pytest.approx(1 / 4000**0.5, rel=0.1)
    assert statistics_of([])[1] == ()


def test_the_gain_of_the_first_to_lead_is_found() -> None:
    deals = Deals()
    for deal in range(400):
        for place in range(1, 5):
            deals.bot.append((place + deal) % 4)
            deals.place.append(place)
            deals.points.append((place + deal) % 4 + (0.5 if place == 1 else 0.1))
            deals.deal_set.append(deal)
    effects = place_effects(deals)
    assert [effect.value for effect in effects] == pytest.approx([0.3, -0.1, -0.1, -0.1])
    assert place_effects(Deals()) == ()


def test_calls_of_the_fallback_player_are_not_counted() -> None:
    deals = Deals(bot=[0, 1, 0, 1], call=[2, 3, 4, 5], points=[2, -3, 4.1, 5], fallback=[3])
    assert count_calls(deals, 3) == [(2, 6, 2), (1, 3, 0), (0, 0, 0)]
    assert count_calls(Deals(), 0) == []


@pytest.mark.parametrize("scale", [1.0, 0.1, 1 / 3, 1e14])
def test_no_digit_of_a_mean_depends_on_the_order(scale: float) -> None:
    rng = np.random.default_rng(6)
    group, deal_set = rng.integers(0, 3, 500), rng.integers(0, 40, 500)
    points = rng.integers(-90, 90, 500) * scale
    weight = np.ones(500)
    order = rng.permutation(500)
    columns = (group, points, weight, deal_set)
    assert clustered_means(*(column[order] for column in columns), 3) == clustered_means(
        *columns, 3
    )
