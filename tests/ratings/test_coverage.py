"""The 95 % error bars hold the truth 95 % of the time, by the simulation in benchmarks/."""

import runpy
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "coverage.py"


@pytest.mark.slow
@pytest.mark.parametrize("orbits", [25, 60])
def test_95_percent_bars_cover_93_to_97_percent_of_400_tournaments(orbits: int) -> None:
    benchmark: dict[str, Any] = runpy.run_path(str(SCRIPT))
    design = benchmark["Design"]("tried", orbits, 0.5)
    found = benchmark["coverage"](design, tournaments=400, seed=7)
    assert 0.93 <= found.all_bots <= 0.97
    assert found.model < found.all_bots


def test_at_two_deal_sets_bars_are_honest_and_no_longer_than_useful() -> None:
    """By Student's t of two sets alone they reached a thousand Elo to either side."""
    benchmark: dict[str, Any] = runpy.run_path(str(SCRIPT))
    found = benchmark["coverage"](benchmark["Design"]("tried", 2, 0.5), 100, seed=7)
    assert found.all_bots >= 0.95
    assert found.width < 250


@pytest.mark.parametrize("design", ["5 orbits, steps of 400 Elo", "5 orbits, one bot at +1200"])
def test_far_from_the_mean_bars_are_honest(design: str) -> None:
    """With a prior towards the mean, 42 % of the bars held the truth at steps of 400 Elo, and no
    bar of a bot at +1200 did."""
    benchmark: dict[str, Any] = runpy.run_path(str(SCRIPT))
    designs = {each.name: each for each in benchmark["FAR"]}
    found = benchmark["coverage"](designs[design], 40, seed=7)
    assert found.all_bots >= 0.93
    assert found.leader >= 0.93
    assert found.mean >= 0.9
    assert found.finite > 0.3
