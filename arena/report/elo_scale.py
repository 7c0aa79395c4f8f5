"""The scale that the error bars of one board share, on pages and in plots."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from arena.ratings.api import Rated

_MARGIN = 0.04
_TICKS = 4


@dataclass(frozen=True, slots=True)
class Scale:
    """From which to which Elo the drawings reach, and where the ticks are."""

    low: float
    high: float
    ticks: tuple[int, ...]

    def percent(self, elo: float) -> str:
        """Where a figure lies, in percent of the width."""
        return f"{100 * (elo - self.low) / (self.high - self.low):.2f}%"

    def ends(self, rated: Rated) -> tuple[float, float]:
        """From where to where the bar is drawn: an open end at the end of the scale."""
        low = rated.elo if rated.low is None else max(rated.low, self.low)
        high = rated.elo if rated.high is None else min(rated.high, self.high)
        return low, high

    def width(self, low: float, high: float) -> str:
        """How wide the way from one figure to another is, in percent."""
        return f"{100 * (high - low) / (self.high - self.low):.2f}%"


def scale_of(rated: Sequence[Rated]) -> Scale:
    """The scale on which every error bar fits, but for ends that are open."""
    figures = [
        figure
        for each in rated
        for figure in (each.elo, each.low, each.high)
        if figure is not None and math.isfinite(figure)
    ]
    low, high = min(figures, default=1400.0), max(figures, default=1600.0)
    margin = max(_MARGIN * (high - low), 1.0)
    low, high = low - margin, high + margin
    step = _step((high - low) / _TICKS)
    return Scale(low, high, tuple(range(step * math.ceil(low / step), math.floor(high) + 1, step)))


def _step(rough: float) -> int:
    """The least of 1, 2, 5, 10, 20, 50 … that is not below `rough`."""
    power = 10 ** max(0, math.floor(math.log10(max(rough, 1))))
    return next(int(power * factor) for factor in (1, 2, 5, 10) if power * factor >= rough)
