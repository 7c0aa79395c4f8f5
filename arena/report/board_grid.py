"""The leaderboard as rows and columns for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from arena.ratings.statistics import Mean
from arena.report.bar_text import bar_text, figure_with_bar
from arena.report.footnotes import footnotes
from arena.report.grid import Column, Grid, grid_of
from arena.report.leaderboard import Leaderboard, Row

Cell = Callable[[Row], str]


def board_grid(board: Leaderboard) -> Grid:
    """Every column that says something on this board."""
    columns = [
        Column(heading, need, tuple(cell(row) for row in board.rows), heading in _LEFT)
        for heading, need, cell in _headed_cells(board)
    ]
    firsts = {group[0] for group in board.components[1:]}
    starts = frozenset(n for n, row in enumerate(board.rows) if row.bot in firsts)
    return grid_of(columns, tuple(footnotes(board)), starts)


def _headed_cells(board: Leaderboard) -> Iterator[tuple[str, int, Cell]]:
    """Heading, need and cell of every column, from left to right.

    Further rating systems come before the matches; a star marks those that depend on the order.
    """
    yield from _STANDING
    for system in board.systems[1:]:
        star = "*" if system.name in board.order_dependent else ""
        yield f"{system.name}{star}", 8, _other(system.name)
    yield from _PLAY


def _other(name: str) -> Cell:
    def cell(row: Row) -> str:
        if (rated := row.others.get(name)) is None:
            return ""
        return figure_with_bar(rated)

    return cell


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.0f}%"


def _mean(mean: Mean | None) -> str:
    return "" if mean is None else _number(mean.value)


def _mean_bar(mean: Mean | None) -> str:
    return "" if mean is None or mean.bar is None else _number(mean.bar)


def _number(value: float) -> str:
    """Two decimals, or the scientific form where that would be a long row of digits."""
    return f"{value:.2f}" if abs(value) < 1e6 else f"{value:.3g}"


def _per_match(row: Row) -> Mean | None:
    """Points a match, only where points a deal are unknown."""
    return None if row.statistics.points_per_deal else row.statistics.points_per_match


def _decimal(value: float | None, decimals: int) -> str:
    return "" if value is None else f"{value:.{decimals}f}"


_LEFT = frozenset({"bot", "version"})

_STANDING: tuple[tuple[str, int, Cell], ...] = (
    ("#", 0, lambda row: str(row.rank)),
    ("bot", 0, lambda row: row.bot),
    ("Elo", 0, lambda row: f"{row.rated.elo:.0f}"),
    ("±", 1, lambda row: bar_text(row.rated)),
    ("LOS", 5, lambda row: _percent(row.rated.los_next)),
)

_PLAY: tuple[tuple[str, int, Cell], ...] = (
    ("matches", 3, lambda row: str(row.statistics.matches)),
    ("pts/deal", 2, lambda row: _mean(row.statistics.points_per_deal)),
    ("±pts", 11, lambda row: _mean_bar(row.statistics.points_per_deal)),
    ("pts/match", 2, lambda row: _mean(_per_match(row))),
    ("±pts", 11, lambda row: _mean_bar(_per_match(row))),
    ("won", 7, lambda row: str(row.statistics.wins)),
    ("shared", 12, lambda row: str(row.statistics.shared_wins)),
    ("made", 6, lambda row: _percent(row.calls_made)),
    ("call", 9, lambda row: _decimal(row.mean_call, 2)),
    ("faults", 4, lambda row: str(row.conduct.faults)),
    ("ms/move", 10, lambda row: _decimal(row.ms_per_move, 1)),
    ("version", 13, lambda row: row.version),
)

HEADINGS = tuple(dict.fromkeys(heading for heading, _, _ in (*_STANDING, *_PLAY)))
"""Every heading that a board can have, without those of further rating systems."""
