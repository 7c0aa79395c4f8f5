"""The leaderboard for a terminal: as many columns as fit, plain text where nobody sees colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from arena.report.api import Screen
from arena.report.columns import Column, columns_of
from arena.report.escape import visible
from arena.report.footnotes import footnotes
from arena.report.leaderboard import Leaderboard

_GAP = 2
_LONGEST_NAME = 40
# A name longer than this is cut before a column is dropped.
_LONG_NAME = 20
_SHORTEST_NAME = 8


@dataclass(frozen=True, slots=True)
class TableFormat:
    """Aligned columns and footnotes."""

    name: str = "table"
    summary: str = "aligned text for a terminal; drops the least needed columns to fit"

    def render(self, board: Leaderboard, screen: Screen) -> str:
        """The board as text no wider than the screen (60 columns are always enough)."""
        notes = [Text(note) for note in footnotes(board)]
        return print_lines([*_table(board, screen.width), *notes], screen)


@dataclass(frozen=True, slots=True)
class _Shown:
    """A column as it is shown: its cells as text, cut to `width`."""

    column: Column
    cells: list[str]
    width: int


def _table(board: Leaderboard, width: int) -> Iterator[Text]:
    shown = fit_columns([_shown(column, board) for column in columns_of(board)], width)
    if not board.rows:
        return
    yield _line([(each.column.heading, each) for each in shown], "bold")
    starts = {group[0] for group in board.components[1:]}
    for number, row in enumerate(board.rows):
        if row.bot in starts:
            yield Text("")
        yield _line([(each.cells[number], each) for each in shown], "")
    yield Text("")


def _shown(column: Column, board: Leaderboard) -> _Shown:
    cells = [visible(column.cell(row)) for row in board.rows]
    widest = max([cell_len(column.heading), *map(cell_len, cells)])
    return _Shown(column, cells, min(widest, _LONGEST_NAME))


def fit_columns(shown: Sequence[_Shown], width: int) -> list[_Shown]:
    """The most needed columns that fit side by side, the bots' names cut to what room is left."""
    kept = list(shown)
    while _width(kept) > width and (least := max(kept, key=lambda each: each.column.need)):
        if least.column.need == 0:
            break
        kept.remove(least)
    room = width - _width([each for each in kept if not _is_name(each)]) - _GAP
    return [_cut(each, room) if _is_name(each) else each for each in kept]


def _is_name(shown: _Shown) -> bool:
    return shown.column.left and shown.column.need == 0


def _width(shown: Sequence[_Shown]) -> int:
    """Of the columns side by side, long names already cut."""
    widths = [min(each.width, _LONG_NAME) if _is_name(each) else each.width for each in shown]
    return sum(widths) + _GAP * max(0, len(shown) - 1)


def _cut(name: _Shown, room: int) -> _Shown:
    return _Shown(name.column, name.cells, max(_SHORTEST_NAME, min(name.width, room)))


def _line(cells: Sequence[tuple[str, _Shown]], style: str) -> Text:
    return Text((" " * _GAP).join(_align(text, each) for text, each in cells), style)


def _align(text: str, shown: _Shown) -> str:
    size = cell_len(text)
    if size > shown.width:
        return set_cell_size(text, shown.width - 1) + "…"
    space = " " * (shown.width - size)
    return text + space if shown.column.left else space + text


def print_lines(lines: Sequence[Text], screen: Screen) -> str:
    """The lines as one text, words wrapped at the width, with or without colour."""
    out = StringIO()
    console = Console(
        file=out,
        width=max(screen.width, 20),
        force_terminal=screen.colour,
        color_system="standard" if screen.colour else None,
        highlight=False,
    )
    for line in lines:
        console.print(line)
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())
