"""Elo from points: right by hand, honest bars, shorter than those of Elo from places."""

import math
import random

import pytest

from arena.errors import ConfigError
from arena.ratings.api import Result
from arena.ratings.points import PointsElo, elo_of
from benchmarks.points import coverage


def match(
    bots: str, scores: list[float], deals: int = 4, retired: str = "", of: str = ""
) -> Result:
    return Result(tuple(bots), tuple(scores), tuple(bot in retired for bot in bots), of, deals)


def matches(count: int, seed: int) -> list[Result]:
    rng = random.Random(seed)
    made = []
    for number in range(count):
        bots = rng.sample("abcdef", 4)
        scores = [round("abcdef".index(bot) + rng.gauss(0, 6), 1) for bot in bots]
        made.append(match("".join(bots), scores, of=str(number // 3)))
    return made


def test_elo_from_points_is_the_chance_of_a_normal_difference() -> None:
    assert elo_of(0) == 0
    assert elo_of(1) == pytest.approx(400 * math.log10(0.8413447 / 0.1586553), abs=1e-3)
    assert elo_of(-1) == pytest.approx(-elo_of(1))
    assert math.isfinite(elo_of(1e9))


def test_two_bots_are_rated_by_their_mean_difference_and_its_spread() -> None:
    gaps = [8.0, 4.0, 0.0, -4.0] * 25
    found = PointsElo().rate([match("ab", [gap, 0.0]) for gap in gaps])
    mean = sum(gaps) / len(gaps) / 4  # points a deal
    left = sum((gap - 4 * mean) ** 2 / 4 for gap in gaps)
    whole = sum(gap**2 / 4 for gap in gaps) / len(gaps)
    sd = math.sqrt((left + whole) / (len(gaps) + 1))
    assert found.details["points_sd"] == pytest.approx(sd)
    first, second = found.rated
    assert first.bot == "a"
    assert first.elo - 1500 == pytest.approx(elo_of(mean / 2 * 2 / sd))
    assert second.elo - 1500 == pytest.approx(1500 - first.elo)
    assert first.los_next == pytest.approx(1 - second.los_leader)


def test_no_digit_depends_on_the_order_of_matches() -> None:
    results = matches(120, 1)
    again = random.Random(2).sample(results, len(results))
    assert PointsElo().rate(again) == PointsElo().rate(results)


def test_repeating_all_matches_in_their_sets_changes_nothing() -> None:
    results = matches(60, 3)
    once, thrice = PointsElo().rate(results).rated, PointsElo().rate(results * 3).rated
    for one, other in zip(once, thrice, strict=True):
        assert (one.elo, one.low, one.high) == pytest.approx((other.elo, other.low, other.high))


def test_a_retired_bot_has_no_more_points_than_the_last_of_the_others() -> None:
    results = [match("abcd", [50, 3, 2, 1], retired="a"), match("abcd", [1, 3, 2, 1])] * 5
    assert PointsElo().rate(results).rated[-2].elo == pytest.approx(
        PointsElo().rate(results).rated[-1].elo
    )


def test_an_anchor_and_groups_and_odd_scores_are_taken() -> None:
    results = [match("ab", [3e12, 1e12]), match("xy", [1, 1]), match("zz", [1, 2])] * 4
    found = PointsElo().rate(results, anchor=("b", 1000.0))
    rated = {bot.bot: bot for bot in found.rated}
    assert rated["b"].elo == 1000
    assert rated["x"].elo == rated["y"].elo == 1500
    assert rated["z"].open_ends == "both"
    assert len(found.components) == 3
    assert all(math.isfinite(bot.elo) for bot in found.rated)
    assert PointsElo().rate([]).rated == ()
    with pytest.raises(ConfigError):
        PointsElo().rate(results, anchor=("nobody", 1.0))


def test_bars_from_points_are_honest_and_need_fewer_matches() -> None:
    found = coverage(25, 40, seed=3)
    assert 0.93 <= found.covered <= 0.985
    assert (found.places_bar / found.points_bar) ** 2 > 1.4
