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
