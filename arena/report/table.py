"""The leaderboard for a terminal: as many columns as fit, plain text where nobody sees colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import StringIO

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from arena.report.api import Screen
from arena.report.board_grid import board_grid
from arena.report.comparison import Comparison
from arena.report.comparison_grid import comparison_grid
from arena.report.escape import visible
from arena.report.grid import Column, Grid
from arena.report.leaderboard import Leaderboard

_GAP = 2
_LONGEST_NAME = 40
# A name longer than this is cut before a column is dropped.
_LONG_NAME = 20
_SHORTEST_NAME = 8


@dataclass(frozen=True, slots=True)
class TableFormat:
    """Aligned columns and footnotes, no wider than the screen (60 columns are always enough)."""

    name: str = "table"
    summary: str = "aligned text for a terminal; drops the least needed columns to fit"

    def render(self, board: Leaderboard, screen: Screen) -> str:
        """The board as text."""
        return print_grid(board_grid(board), screen)

    def render_comparison(self, comparison: Comparison, screen: Screen) -> str:
        """What moved, as text."""
        return print_grid(comparison_grid(comparison), screen)


def print_grid(grid: Grid, screen: Screen) -> str:
    """The grid as text, notes wrapped at the width, with or without colour."""
    out = StringIO()
    console = Console(
        file=out,
        width=max(screen.width, 20),
        force_terminal=screen.colour,
        color_system="standard" if screen.colour else None,
        highlight=False,
    )
    for line in [*_lines(grid, screen.width), *map(Text, grid.notes)]:
        console.print(line)
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())


@dataclass(frozen=True, slots=True)
class _Shown:
    """A column as it is shown: harmless cells, to be cut to `width`."""

    column: Column
    width: int


def _lines(grid: Grid, width: int) -> Iterator[Text]:
    shown = _fit([_shown(column) for column in grid.columns], width)
    if grid.rows:
        yield _line([(each.column.heading, each) for each in shown], "bold")
    for row in range(grid.rows):
        if row in grid.group_starts:
            yield Text("")
        yield _line([(each.column.cells[row], each) for each in shown], "")
    if grid.rows:
        yield Text("")


def _shown(column: Column) -> _Shown:
    safe = replace(column, cells=tuple(visible(cell) for cell in column.cells))
    return _Shown(safe, min(_LONGEST_NAME, max(map(cell_len, [column.heading, *safe.cells]))))


def _fit(shown: Sequence[_Shown], width: int) -> list[_Shown]:
    """The most needed columns that fit side by side, the bots' names cut to what room is left."""
    kept = list(shown)
    while _width(kept) > width and (least := max(kept, key=lambda each: each.column.need)):
        if least.column.need == 0:
            break
        kept.remove(least)
    room = width - _width([each for each in kept if not each.column.is_name]) - _GAP
    return [_cut(each, room) if each.column.is_name else each for each in kept]


def _width(shown: Sequence[_Shown]) -> int:
    """Of the columns side by side, long names already cut."""
    widths = [min(each.width, _LONG_NAME) if each.column.is_name else each.width for each in shown]
    return sum(widths) + _GAP * max(0, len(shown) - 1)


def _cut(name: _Shown, room: int) -> _Shown:
    return replace(name, width=max(_SHORTEST_NAME, min(name.width, room)))


def _line(cells: Sequence[tuple[str, _Shown]], style: str) -> Text:
    return Text((" " * _GAP).join(_align(text, each) for text, each in cells), style)


def _align(text: str, shown: _Shown) -> str:
    size = cell_len(text)
    if size > shown.width:
        return set_cell_size(text, shown.width - 1) + "…"
    space = " " * (shown.width - size)
    return text + space if shown.column.left else space + text
