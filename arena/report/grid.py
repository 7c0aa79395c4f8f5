"""Rows and columns of text for people, before it is known where they will be read.

`need` orders the columns by how much a reader misses them: a narrow screen drops those with the
highest number first, never those with 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Column:
    """A heading and a cell for each row; names are aligned to the left."""

    heading: str
    need: int
    cells: tuple[str, ...]
    left: bool = False

    @property
    def is_name(self) -> bool:
        """True for the column that may be cut and is never dropped."""
        return self.left and self.need == 0

    @property
    def is_silent(self) -> bool:
        """True if no cell says anything."""
        return all(cell in ("", "0") for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Grid:
    """The columns, what a reader must know besides, and the rows that begin a new group."""

    columns: tuple[Column, ...]
    notes: tuple[str, ...]
    group_starts: frozenset[int] = frozenset()

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.columns[0].cells) if self.columns else 0


def grid_of(
    columns: Sequence[Column], notes: Sequence[str], group_starts: frozenset[int] = frozenset()
) -> Grid:
    """A grid without the columns that say nothing."""
    return Grid(tuple(c for c in columns if not c.is_silent), tuple(notes), group_starts)
