"""The leaderboard as a Markdown table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from arena.report.api import Screen
from arena.report.board_grid import board_grid
from arena.report.comparison import Comparison
from arena.report.comparison_grid import comparison_grid
from arena.report.escape import for_markdown
from arena.report.grid import Grid
from arena.report.leaderboard import Leaderboard


@dataclass(frozen=True, slots=True)
class MarkdownFormat:
    """A GitHub-flavoured table and the footnotes as a list."""

    name: str = "md"
    summary: str = "a Markdown table, for README files and pages"

    def render(self, board: Leaderboard, screen: Screen) -> str:
        """The board with every column that says something."""
        return _markdown(board_grid(board))

    def render_comparison(self, comparison: Comparison, screen: Screen) -> str:
        """What moved, as a table."""
        return _markdown(comparison_grid(comparison))


def _markdown(grid: Grid) -> str:
    notes = [f"- {for_markdown(note)}" for note in grid.notes]
    if not grid.rows:
        return "\n".join(notes) + "\n"
    table = [
        _line(for_markdown(column.heading) for column in grid.columns),
        _line(":--" if column.left else "--:" for column in grid.columns),
        *(_line(for_markdown(c.cells[row]) for c in grid.columns) for row in range(grid.rows)),
    ]
    return "\n".join([*table, "", *notes]) + "\n"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
