"""The charts of a bot's page: Vega-Lite drawn to SVG here, so that the page needs no script for it.

Colours are the page's CSS variables, written as they are into the SVG: a chart follows the theme.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import vl_convert
from markupsafe import Markup

from arena.report.site.facts import BotFacts

_INK = "var(--ink)"
_QUIET = "var(--quiet)"
_LINE = "var(--line)"
_CONFIG = {
    "background": None,
    "font": "sans-serif",
    "view": {"stroke": None},
    "axis": {
        "labelColor": _QUIET,
        "titleColor": _QUIET,
        "titleFontWeight": "normal",
        "gridColor": _LINE,
        "domainColor": _LINE,
        "tickColor": _LINE,
        "labelFontSize": 11,
        "titleFontSize": 12,
        "labelAngle": 0,
        "labelFlush": False,
    },
}
_WIDTH = 310
_HEIGHT = 220


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing with its words, and the same figures as a table for who cannot see it."""

    title: str
    caption: str
    svg: Markup
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


def charts_of(facts: BotFacts) -> list[Chart]:
    """The charts for which the bot's records hold figures."""
    if not facts.won_by_call:
        return []
    return [_called_and_won(facts), _success_by_call(facts), _points(facts)]


def _called_and_won(facts: BotFacts) -> Chart:
    calls = sorted({call for call, _ in facts.won_by_call})
    totals = _totals(facts)
    values = [
        {"call": call, "won": won, "deals": deals, "share": deals / totals[call]}
        for (call, won), deals in sorted(facts.won_by_call.items())
    ]
    some_won = [won for _, won in facts.won_by_call]
    wons = list(range(min(some_won), max(some_won) + 1))
    place = {
        "x": _axis("call", "called", values=list(range(calls[0], calls[-1] + 1))),
        "y": _axis("won", "tricks won", values=wons[::-1]),
    }
    spec = {
        "data": {"values": values},
        "layer": [
            {
                "mark": {"type": "rect", "color": "var(--chart-1)", "cornerRadius": 2},
                "encoding": {
                    **place,
                    "opacity": {
                        "field": "share",
                        "type": "quantitative",
                        "scale": {"domain": [0, 1], "range": [0.06, 0.75]},
                        "legend": None,
                    },
                },
            },
            {
                "transform": [{"filter": "datum.share >= 0.005"}],
                "mark": {"type": "text", "fontSize": 9.5, "color": _INK},
                "encoding": {
                    **place,
                    "text": {"field": "share", "type": "quantitative", "format": ".0%"},
                },
            },
        ],
    }
    return Chart(
        title="Called against won",
        caption="Of the deals with each call, how many ended with so many tricks.",
        svg=_draw(spec, height=max(_HEIGHT, 18 * len(wons))),
        head=["called", *map(str, wons)],
        rows=[
            [str(call), *(_deals(facts.won_by_call[call, won]) for won in wons)] for call in calls
        ],
    )


def _success_by_call(facts: BotFacts) -> Chart:
    totals = _totals(facts)
    values = [
        {"call": call, "made": facts.made_by_call[call] / deals, "deals": deals}
        for call, deals in sorted(totals.items())
    ]
    place = {"x": _axis("call", "called", values=list(range(min(totals), max(totals) + 1)))}
    spec = {
        "data": {"values": values},
        "encoding": {
            **place,
            "y": {
                "field": "made",
                "type": "quantitative",
                "title": "succeeded",
                "scale": {"domain": [0, 1]},
                "axis": {"format": ".0%", "tickCount": 5},
            },
        },
        "layer": [
            {"mark": {"type": "bar", "color": "var(--bar-soft)", "cornerRadiusEnd": 3}},
            {
                "mark": {"type": "text", "dy": -7, "fontSize": 11, "color": _INK},
                "encoding": {"text": {"field": "made", "type": "quantitative", "format": ".0%"}},
            },
        ],
    }
    return Chart(
        title="Success by call",
        caption="The share of calls that earned points.",
        svg=_draw(spec),
        head=["called", "deals", "succeeded"],
        rows=[
            [str(call), _deals(deals), f"{facts.made_by_call[call] / deals:.0%}"]
            for call, deals in sorted(totals.items())
        ],
    )


def _points(facts: BotFacts) -> Chart:
    deals = sum(facts.deal_points.values())
    values = [
        {"points": points, "share": count / deals, "made": points > 0}
        for points, count in sorted(facts.deal_points.items())
    ]
    low, high = min(facts.deal_points), max(facts.deal_points)
    spec = {
        "data": {"values": values},
        "mark": {"type": "bar", "cornerRadiusEnd": 2},
        "encoding": {
            "x": {
                "field": "points",
                "type": "quantitative",
                "title": "points in a deal",
                "scale": {"domain": [low - 1, high + 1], "nice": False},
                "axis": {"grid": False, "format": "d", "tickMinStep": 1},
            },
            "y": {
                "field": "share",
                "type": "quantitative",
                "title": "deals",
                "axis": {"format": ".0%", "tickCount": 5},
            },
            "size": {"value": max(3, min(18, 300 / (high - low + 3)))},
            "color": {
                "field": "made",
                "type": "nominal",
                "scale": {"domain": [False, True], "range": ["var(--chart-2)", "var(--chart-1)"]},
                "legend": None,
            },
        },
    }
    return Chart(
        title="Points a deal",
        caption="How often a deal ended with so many points (rounded).",
        svg=_draw(spec),
        head=["points", "deals"],
        rows=[[str(points), _deals(n)] for points, n in sorted(facts.deal_points.items())],
    )


def _axis(field: str, title: str, *, values: Sequence[int]) -> dict[str, Any]:
    return {"field": field, "type": "ordinal", "title": title, "scale": {"domain": values}}


def _totals(facts: BotFacts) -> dict[int, int]:
    totals: dict[int, int] = {}
    for (call, _), deals in facts.won_by_call.items():
        totals[call] = totals.get(call, 0) + deals
    return totals


def _deals(count: int) -> str:
    return f"{count:,}" if count else ""


def _draw(spec: Mapping[str, Any], *, height: int = _HEIGHT) -> Markup:
    """The SVG, hidden from screen readers: its figures stand below it as a table."""
    whole = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "width": _WIDTH,
        "height": height,
        "config": _CONFIG,
        **spec,
    }
    svg: str = vl_convert.vegalite_to_svg(whole)
    return Markup(svg.replace("<svg ", '<svg aria-hidden="true" ', 1))
