"""A comparison of two boards as rows and columns for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from arena.report.bar_text import figure_with_bar
from arena.report.comparison import Comparison, Move
from arena.report.grid import Column, Grid, grid_of
from arena.report.leaderboard import Row
from arena.words import counted


def comparison_grid(comparison: Comparison) -> Grid:
    """One bot a row, its standing on both boards and the change."""
    columns = [
        Column(heading, need, tuple(cell(move) for move in comparison.moves), heading == "bot")
        for heading, need, cell in _COLUMNS
    ]
    return grid_of(columns, tuple(_notes(comparison)))


def _notes(comparison: Comparison) -> Iterator[str]:
    before, after = comparison.before, comparison.after
    yield (
        f"Before: {counted(before.matches, 'match', 'matches')} "
        f"in {counted(before.deal_sets, 'deal set')}; "
        f"after: {after.matches:,} in {after.deal_sets:,}."
    )
    changes = [move.change for move in comparison.moves if move.change]
    if not changes:
        yield "No two bots met on both boards: nothing can be compared."
        return
    if not all(change.centred for change in changes):
        yield (
            "No majority of the bots stayed where they were to each other: who of them moved "
            "cannot be told. Their change is against the mean of all common bots."
        )
    clear = sum(change.is_clear for change in changes)
    yield (
        "Change is Elo against the mean of the common bots that stayed; ± is a 95 % bar for "
        f"{'one bot' if len(changes) == 1 else f'all {len(changes)} bots together'}. "
        f"{clear or 'None'} moved by more than noise."
    )


def _elo(row: Row | None) -> str:
    return "" if row is None else figure_with_bar(row.rated)


def _verdict(move: Move) -> str:
    if move.before is None:
        return "new"
    if move.after is None:
        return "gone"
    if move.change is None:
        return "not comparable"
    if move.change.is_beyond and not move.change.centred:
        return "moved?"
    return ("up" if move.change.elo > 0 else "down") if move.change.is_clear else "noise"


_COLUMNS: tuple[tuple[str, int, Callable[[Move], str]], ...] = (
    ("#", 3, lambda move: str(move.after.rank) if move.after else ""),
    ("was", 4, lambda move: str(move.before.rank) if move.before else ""),
    ("bot", 0, lambda move: move.bot),
    ("before", 2, lambda move: _elo(move.before)),
    ("after", 2, lambda move: _elo(move.after)),
    ("change", 0, lambda move: f"{move.change.elo:+.0f}" if move.change else ""),
    ("±", 1, lambda move: f"{move.change.bar:.0f}" if move.change else ""),
    ("", 0, _verdict),
)
