"""Sequential Elo and OpenSkill: right by hand or by their own package, and labelled."""

import math
import random
import sys

import pytest
from openskill.models import PlackettLuce

from arena.errors import ConfigError
from arena.ratings.api import Rating, Result
from arena.ratings.elo import ELO, BatchElo
from arena.ratings.openskill_system import OpenSkill
from arena.ratings.sequential import SequentialElo

SYSTEMS = [SequentialElo(), OpenSkill()]


def match(bots: str, scores: list[float], retired: str = "") -> Result:
    return Result(tuple(bots), tuple(scores), tuple(bot in retired for bot in bots), "", 4)


def simulated(matches: int, seed: int = 1) -> list[Result]:
    """Plackett-Luce tables of eight bots that are 60 Elo apart, a the best."""
    rng = random.Random(seed)
    return [
        match("".join(bots), [-"abcdefgh".index(bot) * 60 / ELO + gumbel(rng) for bot in bots])
        for bots in (rng.sample("abcdefgh", 4) for _ in range(matches))
    ]


def gumbel(rng: random.Random) -> float:
    return -math.log(rng.expovariate(1))


def test_sequential_elo_moves_by_a_third_of_k_for_each_pair_of_a_table() -> None:
    rated = {bot.bot: bot.elo for bot in SequentialElo().rate([match("abcd", [4, 3, 3, 1])]).rated}
    third = 32 / 3 / 2
    assert rated == pytest.approx(
        {"a": 1500 + 3 * third, "b": 1500, "c": 1500, "d": 1500 - 3 * third}
    )


def test_sequential_elo_of_two_is_the_textbook_update() -> None:
    once = [match("ab", [1, 0])]
    rated = {bot.bot: bot.elo for bot in SequentialElo().rate(once * 2).rated}
    assert rated["a"] == pytest.approx(1516 + 32 * (1 - 1 / (1 + 10 ** (-32 / 400))))


def test_openskill_gives_what_its_package_gives() -> None:
    model = PlackettLuce(mu=1500, sigma=2 * ELO, beta=ELO / 2, tau=0)
    expected = model.rate([[model.rating()] for _ in "abcd"], ranks=[0, 1, 1, 3])
    found = {bot.bot: bot for bot in OpenSkill().rate([match("abcd", [4, 3, 3, 1])]).rated}
    for bot, (rating,) in zip("abcd", expected, strict=True):
        assert found[bot].elo == pytest.approx(rating.mu)
        assert found[bot].se == pytest.approx(rating.sigma)


def test_openskill_moves_a_bot_in_two_seats_by_the_sum_of_what_fresh_bots_there_would_move() -> (
    None
):
    fresh = {bot.bot: bot.elo for bot in OpenSkill().rate([match("abcd", [-1, 0, -3, 2])]).rated}
    found = {bot.bot: bot.elo for bot in OpenSkill().rate([match("ABAB", [-1, 0, -3, 2])]).rated}
    assert found["A"] == pytest.approx(fresh["a"] + fresh["c"] - 1500)
    assert found["A"] == pytest.approx(1303, abs=1)


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
def test_systems_agree_with_batch_elo_about_the_order_of_clearly_different_bots(
    system: Rating,
) -> None:
    results = simulated(2500)
    order = [bot.bot for bot in BatchElo().rate(results).rated]
    assert order == list("abcdefgh")
    assert [bot.bot for bot in OpenSkill().rate(results).rated] == order
    assert system.rate(results).rated[0].bot in "ab"


def test_openskill_reads_as_elo_at_a_table_of_four() -> None:
    rated = {bot.bot: bot.elo for bot in OpenSkill().rate(simulated(4000)).rated}
    assert rated["a"] - rated["h"] == pytest.approx(420, rel=0.25)


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
def test_the_order_of_matches_matters_and_is_said_to(system: Rating) -> None:
    results = simulated(50)
    forward, backward = system.rate(results), system.rate(results[::-1])
    assert forward.order_dependent
    assert forward.rated != backward.rated
    assert "order" in system.summary


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
def test_odd_tables_are_rated_too(system: Rating) -> None:
    odd = [
        match("aabc", [4, 1, 3, 2]),
        match("aaaa", [1, 2, 3, 4]),
        match("xyz", [10**12, 5, -(10**12)], retired="x"),
        match("pq", [1, 1], retired="pq"),
    ]
    ratings = system.rate(odd, anchor=("b", 1000.0))
    assert set(ratings.components[0]) == set("abc")
    assert ratings.components[1:] == (("y", "z", "x"), ("p", "q"))
    assert {bot.bot: bot.elo for bot in ratings.rated}["b"] == pytest.approx(1000)
    assert system.rate([]).rated == ()
    with pytest.raises(ConfigError, match="plays no match"):
        system.rate(odd, anchor=("nobody", 1500.0))


def test_without_its_package_openskill_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    with pytest.raises(ConfigError, match=r"pip install 'callbreak-arena\[openskill\]'"):
        OpenSkill().rate([match("ab", [1, 0])])
