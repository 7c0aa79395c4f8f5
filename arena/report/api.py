"""What every leaderboard format keeps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from arena.report.comparison import Comparison
from arena.report.leaderboard import Leaderboard


@dataclass(frozen=True, slots=True)
class Screen:
    """Where text will be read: so many columns wide, with colour (a terminal) or without."""

    width: int = 100
    colour: bool = False


class ReportFormat(Protocol):
    """A leaderboard format under a name."""

    @property
    def name(self) -> str: ...

    @property
    def summary(self) -> str:
        """One line for `arena plugins` and `--help`."""
        ...

    def render(self, board: Leaderboard, screen: Screen) -> str:
        """The board as text that ends with a newline; only formats for people mind the screen."""
        ...


@runtime_checkable
class ComparisonFormat(Protocol):
    """A leaderboard format that can also show what moved between two boards."""

    def render_comparison(self, comparison: Comparison, screen: Screen) -> str:
        """The comparison as text that ends with a newline."""
        ...
