"""The leaderboard as a Markdown table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from arena.report.api import Screen
from arena.report.columns import columns_of
from arena.report.escape import for_markdown
from arena.report.footnotes import footnotes
from arena.report.leaderboard import Leaderboard


@dataclass(frozen=True, slots=True)
class MarkdownFormat:
    """A GitHub-flavoured table and the footnotes as a list."""

    name: str = "md"
    summary: str = "a Markdown table, for README files and pages"

    def render(self, board: Leaderboard, screen: Screen) -> str:
        """The board with every column that says something."""
        columns = columns_of(board)
        lines = [f"- {for_markdown(note)}" for note in footnotes(board)]
        if board.rows:
            table = [
                _line(for_markdown(column.heading) for column in columns),
                _line(":--" if column.left else "--:" for column in columns),
                *(_line(for_markdown(c.cell(row)) for c in columns) for row in board.rows),
                "",
            ]
            lines = table + lines
        return "\n".join(lines) + "\n"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
