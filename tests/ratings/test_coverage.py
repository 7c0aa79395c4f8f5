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
    held, _ = benchmark["coverage"](design, tournaments=400, seed=7)
    recipe, _, model = held
    assert 0.93 <= recipe <= 0.97
    assert model < recipe


def test_at_two_deal_sets_bars_are_honest_and_no_longer_than_useful() -> None:
    """By Student's t of two sets alone they reached a thousand Elo to either side."""
    benchmark: dict[str, Any] = runpy.run_path(str(SCRIPT))
    held, width = benchmark["coverage"](benchmark["Design"]("tried", 2, 0.5), 100, seed=7)
    assert held[0] >= 0.95
    assert width < 250
