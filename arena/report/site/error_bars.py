"""Error bars in the rows of a table: each row's drawing shares one scale, so rows can be sorted.

Positions are percentages of the cell's width: the drawing grows with the table.
"""

from __future__ import annotations

import math

from markupsafe import Markup

from arena.ratings.api import Rated
from arena.report.elo_scale import Scale


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
