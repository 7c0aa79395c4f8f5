"""The columns of a board for people, as a table of facts: heading, need, cell.

`need` orders the columns by how much a reader misses them: the terminal drops those with the
highest number first. A column without any information on this board is left out everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena.ratings.statistics import Mean
from arena.report.leaderboard import Leaderboard, Row

Cell = Callable[[Row], str]


@dataclass(frozen=True, slots=True)
class Column:
    """One column. A cell is empty where there is nothing to say."""

    heading: str
    need: int
    cell: Cell
    left: bool = False


def columns_of(board: Leaderboard) -> list[Column]:
    """The columns that say something on this board, from left to right."""
    after = next(i for i, column in enumerate(_COLUMNS) if column.heading == "LOS")
    wanted = [*_COLUMNS[:after], *_others(board), *_COLUMNS[after:]]
    return [column for column in wanted if any(_says(column, row) for row in board.rows)]


def _says(column: Column, row: Row) -> bool:
    return column.cell(row) not in ("", "0")


def _others(board: Leaderboard) -> Sequence[Column]:
    """Figures of further rating systems; a star marks those that depend on the order."""
    return [
        Column(_heading(system.name, board), 8, _other(system.name)) for system in board.systems[1:]
    ]


def _heading(name: str, board: Leaderboard) -> str:
    return f"{name}*" if name in board.order_dependent else name


def _other(name: str) -> Cell:
    def cell(row: Row) -> str:
        rated = row.others[name]
        return f"{rated.elo:.0f}" + (f" ±{rated.high - rated.elo:.0f}" if rated.high else "")

    return cell


def _bar(row: Row) -> str:
    return "" if row.rated.high is None else f"{row.rated.high - row.rated.elo:.0f}"


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.0f}%"


def _points(mean: Mean | None) -> str:
    return "" if mean is None else number(mean.value)


def _points_bar(mean: Mean | None) -> str:
    return "" if mean is None or mean.se is None else number(1.96 * mean.se)


def number(value: float) -> str:
    """Two decimals, or the scientific form where that would be a long row of digits."""
    return f"{value:.2f}" if abs(value) < 1e6 else f"{value:.3g}"


def _per_match_only(row: Row) -> Mean | None:
    return None if row.statistics.points_per_deal else row.statistics.points_per_match


def _decimal(value: float | None, decimals: int) -> str:
    return "" if value is None else f"{value:.{decimals}f}"


_COLUMNS = (
    Column("#", 0, lambda row: str(row.rank)),
    Column("bot", 0, lambda row: row.bot, left=True),
    Column("Elo", 0, lambda row: f"{row.rated.elo:.0f}"),
    Column("±", 1, _bar),
    Column("LOS", 5, lambda row: _percent(row.rated.los_next)),
    Column("matches", 3, lambda row: str(row.statistics.matches)),
    Column("pts/deal", 2, lambda row: _points(row.statistics.points_per_deal)),
    Column("±pts", 11, lambda row: _points_bar(row.statistics.points_per_deal)),
    Column("pts/match", 2, lambda row: _points(_per_match_only(row))),
    Column("±pts", 11, lambda row: _points_bar(_per_match_only(row))),
    Column("won", 7, lambda row: str(row.statistics.wins)),
    Column("shared", 12, lambda row: str(row.statistics.shared_wins)),
    Column("made", 6, lambda row: _percent(row.calls_made)),
    Column("call", 9, lambda row: _decimal(row.mean_call, 2)),
    Column("faults", 4, lambda row: str(row.conduct.faults)),
    Column("ms/move", 10, lambda row: _decimal(row.ms_per_move, 1)),
    Column("version", 13, lambda row: row.version, left=True),
)
