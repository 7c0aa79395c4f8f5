"""The leaderboard as CSV: the fields of the JSON rows, one bot a line."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO

from arena.report.api import Screen
from arena.report.comparison import Comparison
from arena.report.escape import for_spreadsheet, visible
from arena.report.json_board import move_object, row_object
from arena.report.leaderboard import Leaderboard


@dataclass(frozen=True, slots=True)
class CsvFormat:
    """RFC 4180 with a heading line; no name can become a formula in a spreadsheet."""

    name: str = "csv"
    summary: str = "comma-separated values with a heading line, for spreadsheets"

    def render(self, board: Leaderboard, screen: Screen) -> str:
        """The rows as CSV; figures of further systems in columns SYSTEM_elo and so on."""
        return _csv([_flat(row_object(row)) for row in board.rows])

    def render_comparison(self, comparison: Comparison, screen: Screen) -> str:
        """Every bot's change as a line."""
        return _csv([move_object(move) for move in comparison.moves])


def _csv(rows: Sequence[Mapping[str, object]]) -> str:
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_safe(key) for key in (rows[0] if rows else _EMPTY)])
    writer.writerows([_safe(value) for value in row.values()] for row in rows)
    return out.getvalue()


_EMPTY = ("rank", "bot", "version", "elo", "elo_low", "elo_high", "se", "matches")


def _flat(row: dict[str, object]) -> dict[str, object]:
    others = row.pop("ratings")
    assert isinstance(others, dict)
    return row | {
        f"{name}_{key}": value for name, figures in others.items() for key, value in figures.items()
    }


def _safe(value: object) -> object:
    return for_spreadsheet(visible(value)) if isinstance(value, str) else value
