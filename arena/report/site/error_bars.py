"""Error bars in the rows of a table: each row's drawing shares one scale, so rows can be sorted.

Positions are percentages of the cell's width: the drawing grows with the table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

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


def draw_axis(scale: Scale) -> Markup:
    """The figures of the scale, for the head of the column."""
    texts = [
        Markup('<text x="{}" y="72%" text-anchor="middle">{}</text>').format(
            scale.percent(tick), tick
        )
        for tick in scale.ticks
        if 0.05 < (tick - scale.low) / (scale.high - scale.low) < 0.95
    ]
    return Markup('<svg aria-hidden="true">{}</svg>').format(Markup("").join(texts))


def _in_words(low: float, high: float) -> str:
    if math.isinf(low):
        return "not limited" if math.isinf(high) else f"at most {high:.0f}"
    return f"at least {low:.0f}" if math.isinf(high) else f"from {low:.0f} to {high:.0f}"


def draw_bar(scale: Scale, rated: Rated) -> Markup:
    """A stroke at the rating and a bar from the low to the high end of its error bar."""
    grid = Markup("").join(
        Markup('<line class="grid" x1="{0}" x2="{0}" y1="0" y2="100%"/>').format(
            scale.percent(tick)
        )
        for tick in scale.ticks
    )
    line = Markup("")
    if rated.low is not None and rated.high is not None:
        line = Markup('<rect class="range" x="{}" width="{}" y="34%" height="32%" rx="3"/>').format(
            scale.percent(scale.ends(rated)[0]), scale.width(*scale.ends(rated))
        )
    mark = Markup('<line class="mean" x1="{0}" x2="{0}" y1="22%" y2="78%"/>').format(
        scale.percent(rated.elo)
    )
    label = f"{rated.elo:.0f}"
    if rated.low is not None and rated.high is not None:
        label += f", {_in_words(rated.low, rated.high)}"
    return Markup('<svg role="img" aria-label="{}">{}{}{}</svg>').format(label, grid, line, mark)
