"""The board as its template shows it: columns, cells, error bars, groups."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.report.elo_scale import Scale, scale_of
from arena.report.grid import Column, Grid
from arena.report.leaderboard import Leaderboard, Row
from arena.report.site.error_bars import draw_axis, draw_bar

_CLASSES = {"#": "rank", "bot": "bot", "Elo": "elo", "±": "plusminus"}
_IN_WORDS = {
    "#": "rank",
    "±": "95 % error bar",
    "LOS": "likelihood of being stronger than the next bot",
    "pts/deal": "points a deal",
    "±pts": "error bar of the points",
    "pts/match": "points a match",
    "won": "matches won alone",
    "shared": "matches won together",
    "made": "calls that succeeded",
    "call": "mean call",
    "ms/move": "milliseconds a decision",
}
_RISING = ("#", "bot", "faults", "ms/move", "version")
"""Headings whose first sort is upwards."""
_RARE = 11
"""Columns whose need is this or more are shown only when asked for, on any screen."""
_FIGURE = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?")


@dataclass(frozen=True, slots=True)
class HeadCell:
    """A column's head; `first` is the direction of the first sort."""

    heading: str
    css: str
    more: str
    first: str


@dataclass(frozen=True, slots=True)
class BodyCell:
    """A cell; `sort` is its figure where its text does not begin as one."""

    text: str
    css: str
    sort: str | None


def board_context(
    board: Leaderboard, grid: Grid, pages: Mapping[str, str], languages: Mapping[str, str]
) -> dict[str, Any]:
    """Everything that the board's template wants, beside the frame; `grid` is the board's."""
    scale = scale_of([row.rated for row in board.rows])
    rows = {
        row.bot: _row(row, [_cell(column, n) for column in grid.columns], scale, pages, languages)
        for n, row in enumerate(board.rows)
    }
    return {
        "columns": [_head(column) for column in grid.columns],
        "axis": draw_axis(scale),
        "groups": [
            [rows[row.bot] for row in board.rows if row.bot in set(group)]
            for group in board.components
        ],
        "languages": sorted({row["language"] for row in rows.values()} - {""}),
    }


def _head(column: Column) -> HeadCell:
    return HeadCell(
        heading=column.heading,
        css=_css(column),
        more=_IN_WORDS.get(column.heading, ""),
        first="ascending" if column.heading in _RISING else "descending",
    )


def _css(column: Column) -> str:
    name = _CLASSES.get(column.heading, "small")
    if column.heading in ("#", "bot", "Elo"):
        return name
    return f"{name} extra rare" if column.need >= _RARE else f"{name} extra"


def _row(
    row: Row,
    cells: Sequence[BodyCell],
    scale: Scale,
    pages: Mapping[str, str],
    languages: Mapping[str, str],
) -> dict[str, Any]:
    return {
        "cells": cells,
        "bar": draw_bar(scale, row.rated),
        "page": pages[row.bot],
        "language": languages.get(row.bot, ""),
        "faults": row.conduct.faults,
        "search": row.bot.lower(),
    }


def _cell(column: Column, row: int) -> BodyCell:
    text = column.cells[row]
    found = None if column.left else _FIGURE.match(text)
    css = _css(column) + (" has-faults" if column.heading == "faults" and text != "0" else "")
    figure = found.group() if found and found.group() != text else None
    return BodyCell(text, css, figure)
