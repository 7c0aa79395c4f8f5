"""An error bar in words: so much to each side, or where it ends if one side has no end."""

from __future__ import annotations

from arena.ratings.api import Rated

_EVEN = 1.2
"""Sides that differ by less are shown as one figure, the longer."""


def bar_text(rated: Rated) -> str:
    """`47`, `-120 +300`, `> 2100`, `< 900`, `open`; empty where the system has no bars."""
    if rated.low is None or rated.high is None:
        return ""
    match rated.open_ends:
        case "both":
            return "open"
        case "high":
            return f"> {rated.low:.0f}"
        case "low":
            return f"< {rated.high:.0f}"
    below, above = rated.elo - rated.low, rated.high - rated.elo
    if max(below, above) < _EVEN * min(below, above):
        return f"{max(below, above):.0f}"
    return f"-{below:.0f} +{above:.0f}"


def figure_with_bar(rated: Rated) -> str:
    """`1520 ±47`, `1520 -120 +300`, `2350 (> 2100)`; the figure alone where there are no bars."""
    bar = bar_text(rated)
    if bar and rated.open_ends:
        return f"{rated.elo:.0f} ({bar})"
    return f"{rated.elo:.0f}" + (f" {bar}" if " " in bar else f" ±{bar}" if bar else "")
