"""Pairs and cycles that no single scale can show."""

import random

import pytest

from arena.ratings.api import Result
from arena.ratings.elo import fit_elo
from arena.ratings.residuals import cycles, residuals


def duel(a: str, b: str, first_wins: bool, deal_set: str) -> Result:
    return Result((a, b), (int(first_wins), int(not first_wins)), (False, False), deal_set, 1)


def duels(rng: random.Random, chances: dict[str, float], games: int) -> list[Result]:
    return [
        duel(pair[0], pair[1], rng.random() < chance, f"{pair}{game}")
        for pair, chance in chances.items()
        for game in range(games)
    ]


def test_stone_scissors_paper_is_a_cycle_of_three_surprises() -> None:
    fit = fit_elo(duels(random.Random(1), {"sc": 0.8, "cp": 0.8, "ps": 0.8}, 100))
    assert set(cycles(fit)) == {("c", "p", "s")}
    found = residuals(fit)
    assert {(pair.bot, pair.against) for pair in found} == {("s", "c"), ("c", "p"), ("p", "s")}
    assert all(pair.is_surprise for pair in found)


def test_bots_on_one_scale_make_no_surprise() -> None:
    rng = random.Random(2)
    fit = fit_elo(duels(rng, {"ab": 0.64, "bc": 0.64, "ac": 0.76}, 300))
    assert cycles(fit) == ()
    assert not any(pair.is_surprise for pair in residuals(fit))


def test_a_residual_is_observed_less_expected_from_the_better_side() -> None:
    fit = fit_elo(duels(random.Random(3), {"ab": 0.5, "bc": 0.5, "ac": 0.9}, 50))
    for pair in residuals(fit):
        assert pair.observed >= pair.expected
        assert pair.z >= 0
        assert pair.games == 50
    assert (residuals(fit)[0].bot, residuals(fit)[0].against) == ("a", "c")


def test_one_large_deal_set_is_no_surprise_however_many_games_it_has() -> None:
    """Sixty games on the same cards are little more than one."""
    results = [duel("a", "b", True, "luck") for _ in range(60)]
    results += duels(random.Random(4), {"ab": 0.5, "bc": 0.5, "ac": 0.5}, 20)
    assert not any(pair.is_surprise for pair in residuals(fit_elo(results)))


@pytest.mark.parametrize("results", [[], [duel("a", "b", True, "")]])
def test_few_results_are_no_surprise(results: list[Result]) -> None:
    assert not any(pair.is_surprise for pair in residuals(fit_elo(results)))
    assert cycles(fit_elo(results)) == ()
