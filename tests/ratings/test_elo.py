"""Batch Elo: agreement with independent optimisers, invariances, edges."""

import math
import random
from itertools import combinations

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from arena.errors import ConfigError
from arena.ratings.api import Ratings, Result
from arena.ratings.elo import ELO, BatchElo, quantile_95
from arena.ratings.likelihood import likelihood_of
from arena.ratings.pairs import count_pairs
from arena.ratings.student import student_cdf, student_quantile


def result(*seats: tuple[str, float], deal_set: str = "", retired: str = "") -> Result:
    bots, scores = zip(*seats, strict=True)
    return Result(bots, scores, tuple(bot in retired.split() for bot in bots), deal_set, 4)


def random_results(seed: int, *, bots: int = 7, matches: int = 60, sets: int = 20) -> list[Result]:
    """Tables of four unequal bots, many ties; some bots are retired, some sit twice."""
    rng = random.Random(seed)
    skill = [rng.gauss(0, 2) for _ in range(bots)]
    made = []
    for _ in range(matches):
        seats = [rng.randrange(bots) for _ in range(4)]
        made.append(
            Result(
                tuple(f"bot-{seat}" for seat in seats),
                tuple(round(skill[seat] + rng.gauss(0, 3)) for seat in seats),
                tuple(rng.random() < 0.05 for _ in seats),
                f"set-{rng.randrange(sets)}",
                4,
            )
        )
    return made


def pair_scores(results: list[Result]) -> list[tuple[str, str, float]]:
    """Every pair of seats with different bots, and the points of the first; written for clarity."""
    pairs = []
    for match in results:
        keys = [(not out, score) for out, score in zip(match.retired, match.scores, strict=True)]
        for i, j in combinations(range(len(keys)), 2):
            if match.bots[i] != match.bots[j]:
                points = 1.0 if keys[i] > keys[j] else 0.0 if keys[i] < keys[j] else 0.5
                pairs.append((match.bots[i], match.bots[j], points))
    return pairs


def by_scipy(results: list[Result]) -> dict[str, float]:
    bots = sorted({bot for match in results for bot in match.bots})
    pairs = pair_scores(results)
    first = np.array([bots.index(a) for a, _, _ in pairs], int)
    second = np.array([bots.index(b) for _, b, _ in pairs], int)
    points = np.array([s for _, _, s in pairs])

    def loss(theta: np.ndarray) -> float:
        d = theta[first] - theta[second]
        ties = points * np.logaddexp(0, -d) + (1 - points) * np.logaddexp(0, d)
        information = np.full((len(bots), len(bots)), 1 / len(bots))
        weight = 1 / (1 + np.exp(d)) / (1 + np.exp(-d))
        np.add.at(information, (first, first), weight)
        np.add.at(information, (second, second), weight)
        np.subtract.at(information, (first, second), weight)
        np.subtract.at(information, (second, first), weight)
        return float(ties.sum() - np.linalg.slogdet(information)[1] / 2 + theta.mean() ** 2)

    found = optimize.minimize(
        loss, np.zeros(len(bots)), method="BFGS", jac="3-point", options={"gtol": 1e-7}
    )
    return {bot: 1500 + ELO * float(theta) for bot, theta in zip(bots, found.x, strict=True)}


def elos(ratings: Ratings) -> dict[str, float]:
    return {rated.bot: rated.elo for rated in ratings.rated}


@pytest.mark.parametrize("seed", range(20))
def test_elo_agrees_with_a_general_optimiser(seed: int) -> None:
    results = random_results(seed, bots=3 + seed % 6, matches=10 + 10 * seed)
    assert elos(BatchElo().rate(results)) == pytest.approx(by_scipy(results), abs=1e-2)


@pytest.mark.parametrize("seed", range(5))
def test_the_strengths_that_explain_the_results_best_are_those_of_choix(seed: int) -> None:
    results = random_results(seed, matches=80)
    bots = sorted({bot for match in results for bot in match.bots})
    # choix knows no ties: a win counts as two, a tie as one each way, and so the prior doubles.
    won = [
        (bots.index(a), bots.index(b)) if way else (bots.index(b), bots.index(a))
        for a, b, points in pair_scores(results)
        for way in {1.0: (1, 1), 0.5: (1, 0), 0.0: (0, 0)}[points]
    ]
    theta = choix.opt_pairwise(len(bots), won, alpha=1e-4, tol=1e-12)
    pairs = count_pairs(results)
    best = likelihood_of(pairs.won_halves / 2, pairs.played, np.zeros(len(bots))).best
    assert best - best.mean() == pytest.approx(theta - theta.mean(), abs=1e-4)


def test_error_bars_agree_with_the_formula_written_out() -> None:
    results = random_results(3, matches=300, sets=50)
    found = {rated.bot: rated for rated in BatchElo().rate(results).rated}
    bots = sorted(found)
    theta = {bot: (found[bot].elo - 1500) / ELO for bot in bots}
    information = np.full((len(bots), len(bots)), 1 / len(bots))
    scores: dict[str, np.ndarray] = {}
    for match in results:
        score = scores.setdefault(match.set, np.zeros(len(bots)))
        for a, b, points in pair_scores([match]):
            p = 1 / (1 + math.exp(theta[b] - theta[a]))
            contrast = np.zeros(len(bots))
            contrast[bots.index(a)], contrast[bots.index(b)] = 1, -1
            information += p * (1 - p) * np.outer(contrast, contrast)
            score += (points - p) * contrast
    sets = len(scores)
    meat = sum(np.outer(s, s) for s in scores.values()) * sets / (sets - 1)
    centre = np.eye(len(bots)) - 1 / len(bots)
    inverse = np.linalg.inv(information)
    for i, j in combinations(range(len(bots)), 2):
        contrast = np.eye(len(bots))[i] - np.eye(len(bots))[j]
        draws = (1 / len(bots) - information[i, j]) * (contrast @ inverse @ contrast)
        meat = meat + draws / 4 * np.outer(contrast, contrast)
    cluster = centre @ inverse @ meat @ inverse @ centre
    model = centre @ inverse @ centre
    for i, bot in enumerate(bots):
        assert found[bot].se_cluster == pytest.approx(ELO * math.sqrt(cluster[i, i]))
        assert found[bot].se_model == pytest.approx(ELO * math.sqrt(model[i, i]))
        both = (8 * 1.6 * model[i, i] + (sets - 1) * cluster[i, i]) / (sets + 7)
        assert found[bot].se == pytest.approx(ELO * math.sqrt(both))
        reach = stats.t.ppf(0.975, sets + 7) * found[bot].se
        assert found[bot].high - found[bot].elo == pytest.approx(reach)
    first, second = BatchElo().rate(results).rated[:2]
    i, j = bots.index(first.bot), bots.index(second.bot)
    apart = [float(v[i, i] + v[j, j] - 2 * v[i, j]) for v in (model, cluster)]
    spread = (8 * 1.6 * apart[0] + (sets - 1) * apart[1]) / (sets + 7)
    expected = stats.t.cdf((first.elo - second.elo) / ELO / math.sqrt(spread), sets + 7)
    assert first.los_next == pytest.approx(expected)
    assert second.los_leader == pytest.approx(1 - expected)


@settings(max_examples=50)
@given(st.integers(0, 10**6), st.randoms(use_true_random=False))
def test_no_digit_depends_on_the_order_of_matches_or_the_rotation_of_seats(
    seed: int, rng: random.Random
) -> None:
    results = random_results(seed)
    turned = []
    for match in rng.sample(results, len(results)):
        k = rng.randrange(4)
        parts = (match.bots, match.scores, match.retired)
        bots, scores, retired = (part[k:] + part[:k] for part in parts)
        turned.append(Result(bots, scores, retired, match.set, match.deals))
    assert BatchElo().rate(turned) == BatchElo().rate(results)


@settings(max_examples=50)
@given(st.integers(0, 10**6), st.integers(2, 5))
def test_repeating_every_table_inside_its_deal_set_changes_nothing(seed: int, times: int) -> None:
    results = random_results(seed)
    assert BatchElo().rate(results * times) == BatchElo().rate(results)


def test_a_table_repeated_alone_counts_as_often_as_it_was_played() -> None:
    results = random_results(1)
    more = [*results, results[0]]
    assert elos(BatchElo().rate(more)) == pytest.approx(by_scipy(more), abs=1e-2)


def test_matches_without_a_set_are_each_their_own() -> None:
    one = [result(("a", 2), ("b", 1)) for _ in range(40)]
    named = [result(("a", 2), ("b", 1), deal_set=f"s{i}") for i in range(40)]
    assert BatchElo().rate(one) == BatchElo().rate(named)


def test_undefeated_and_winless_bots_have_a_figure_and_a_bar_with_one_end() -> None:
    results = [
        result(("top", 9), (f"m{i % 3}", i % 2), (f"m{(i + 1) % 3}", 0.5), ("low", -1))
        for i in range(300)
    ]
    found = BatchElo().rate(results)
    rated = found.rated
    assert [rated[0].bot, rated[-1].bot] == ["top", "low"]
    assert all(math.isfinite(bot.elo) for bot in rated)
    assert rated[0].elo - 1500 == pytest.approx(1500 - rated[-1].elo)
    assert [bot.open_ends for bot in rated] == ["high", None, None, None, "low"]
    assert 1500 < rated[0].low < rated[0].elo
    assert rated[-1].elo < rated[-1].high < 1500
    (note,) = found.notes
    assert note.startswith("Bars are against the mean of bots that took points from each other: m")


@pytest.mark.parametrize("games", [3, 30, 300])
def test_the_bar_of_an_undefeated_bot_ends_where_chance_could_have_done_it(games: int) -> None:
    best, other = BatchElo().rate([result(("a", 2), ("b", 1)) for _ in range(games)]).rated
    apart = 2 * (best.low - 1500) / ELO
    assert 1e-3 < (1 / (1 + math.exp(-apart))) ** games < 0.05
    assert best.high == math.inf
    assert (other.low, other.los_leader) == (-math.inf, pytest.approx(1 - best.los_next))


def test_nothing_pulls_the_order_towards_the_mean() -> None:
    """b held its own against a, and never met the weaker bots; a prior took it down for that."""
    results = [
        *[result(("a", 2), ("z", 1)) for _ in range(90)],
        *[result(("a", 1), ("z", 2)) for _ in range(10)],
        *[result(("a", i % 2), ("b", (i + 1) % 2)) for i in range(4)],
    ]
    rated = elos(BatchElo().rate(results))
    assert rated["a"] == pytest.approx(rated["b"])


def test_bots_that_always_tie_are_equal() -> None:
    rated = BatchElo().rate([result(("a", 3), ("b", 3), ("c", 3), ("d", 3))] * 10).rated
    assert [bot.elo for bot in rated] == [1500.0] * 4
    assert [bot.los_next for bot in rated] == [0.5, 0.5, 0.5, None]


def test_no_matches_give_an_empty_board() -> None:
    assert BatchElo().rate([]) == Ratings((), ())


def test_of_a_bot_alone_nothing_is_known() -> None:
    (only,) = BatchElo().rate([result(("a", 1), ("a", 2), ("a", 3), ("a", 4))]).rated
    assert only.elo == 1500
    assert (only.open_ends, only.se) == ("both", None)


def test_the_same_bot_in_two_seats_meets_the_others_twice_and_itself_never() -> None:
    doubled = [result(("a", 5), ("a", 1), ("b", 3), ("c", 2))] * 3
    assert elos(BatchElo().rate(doubled)) == pytest.approx(
        by_scipy([result(("a", 5), ("a", 1), ("b", 3), ("c", 2))] * 3), abs=1e-2
    )


def test_groups_that_never_met_are_centred_apart() -> None:
    results = [
        *[result(("a", 2), ("b", 1), deal_set=str(i)) for i in range(9)],
        *[result(("x", 3), ("y", 2), ("z", 1), deal_set=str(i)) for i in range(9)],
    ]
    ratings = BatchElo().rate(results)
    assert ratings.components == (("x", "y", "z"), ("a", "b"))
    for group in ratings.components:
        mean = sum(bot.elo for bot in ratings.rated if bot.bot in group) / len(group)
        assert mean == pytest.approx(1500)
    assert {bot.bot: bot.los_next for bot in ratings.rated}["z"] is None


def test_huge_scores_are_compared_and_not_added() -> None:
    small = [result(("a", i % 3), ("b", 1)) for i in range(30)]
    huge = [result(("a", 10**12 + i % 3), ("b", 10**12 + 1)) for i in range(30)]
    assert BatchElo().rate(huge) == BatchElo().rate(small)


def test_a_retired_bot_loses_to_every_bot_that_is_not() -> None:
    rated = elos(BatchElo().rate([result(("a", 99), ("b", 1), ("c", -5), retired="a")] * 9))
    assert rated["a"] < rated["c"] < rated["b"]


def test_retired_bots_are_compared_with_each_other_by_score() -> None:
    rated = elos(BatchElo().rate([result(("a", 9), ("b", 1), ("c", 5), retired="a b")] * 9))
    assert rated["b"] < rated["a"] < rated["c"]


def test_the_anchor_is_shown_with_its_figure_and_the_others_keep_their_distance() -> None:
    results = random_results(5)
    free = elos(BatchElo().rate(results))
    tied = elos(BatchElo().rate(results, anchor=("bot-2", 2000.0)))
    assert tied["bot-2"] == 2000.0
    shift = 2000.0 - free["bot-2"]
    assert tied == pytest.approx({bot: elo + shift for bot, elo in free.items()})


def test_an_anchor_that_plays_no_match_is_refused() -> None:
    with pytest.raises(ConfigError, match="'nobody' plays no match"):
        BatchElo().rate(random_results(5), anchor=("nobody", 1500.0))


@pytest.mark.parametrize("freedom", [8, 9, 15, 37, 400])
def test_students_t_is_that_of_the_tables(freedom: int) -> None:
    for t in (-6.0, -1.0, 0.0, 0.3, 2.0, 4.0):
        assert student_cdf(t, freedom) == pytest.approx(stats.t.cdf(t, freedom), abs=1e-8)
    for p in (0.6, 0.975, 0.9995):
        assert student_quantile(p, freedom) == pytest.approx(stats.t.ppf(p, freedom), abs=1e-5)


def test_few_deal_sets_give_wider_bars_of_means_by_students_t() -> None:
    for sets in range(2, 30):
        assert quantile_95(sets) == pytest.approx(stats.t.ppf(0.975, sets - 1), abs=1e-5)
    assert quantile_95(30) == quantile_95(10**6) == pytest.approx(stats.norm.ppf(0.975), abs=1e-5)
    assert quantile_95(1) == quantile_95(2)


def test_one_sided_results_converge() -> None:
    results = [
        result(*((f"b{i}", -i) for i in range(12)), deal_set=str(match)) for match in range(400)
    ]
    rated = BatchElo().rate(results).rated
    assert [bot.bot for bot in rated] == [f"b{i}" for i in range(12)]
    assert elos(BatchElo().rate(results)) == pytest.approx(by_scipy(results), abs=1e-2)
