"""Who came out ahead of whom: the heat map's cells and the cycles, ready for a template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.ratings.residuals import Residual
from arena.report.leaderboard import Leaderboard
from arena.words import counted

BOTS_SHOWN = 60
CYCLES_SHOWN = 20
_LEVELS = 9
"""Shades of the heat map, the fifth being even."""
_SHADE = 0.1
"""How much of a share one shade covers: the outermost begin at 15 and 85 percent."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: text, CSS classes, and what a pointer that rests on it is told."""

    text: str
    css: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class HeatRow:
    """A bot and its cells, in the order of the columns."""

    name: str
    page: str
    cells: Sequence[Cell]


@dataclass(frozen=True, slots=True)
class Meeting:
    """What one bot took from another: pair games, share of points, expected share, surprise."""

    games: int
    share: float
    expected: float
    z: float
    is_surprise: bool


@dataclass(frozen=True, slots=True)
class CycleStep:
    """A bot of a cycle, and the percentage it took from the next one."""

    name: str
    page: str
    share: str


Meetings = Mapping[tuple[str, str], Meeting]


def meetings_of(board: Leaderboard) -> Meetings:
    """Every two bots that met, from both sides."""
    found: dict[tuple[str, str], Meeting] = {}
    for pair in board.pairs:
        found[pair.bot, pair.against] = _meeting(pair, pair.observed, pair.expected, pair.z)
        found[pair.against, pair.bot] = _meeting(
            pair, pair.games - pair.observed, pair.games - pair.expected, -pair.z
        )
    return found


def _meeting(pair: Residual, observed: float, expected: float, z: float) -> Meeting:
    games = pair.games
    return Meeting(games, observed / games, expected / games, z, pair.is_surprise)


def heat_rows(
    board: Leaderboard, meetings: Meetings, pages: Mapping[str, str]
) -> tuple[list[str], list[HeatRow]]:
    """The names of the columns and the rows, in the order of the board."""
    names = [row.bot for row in board.rows][:BOTS_SHOWN]
    rows = [
        HeatRow(name, pages[name], [_cell(name, other, meetings) for other in names])
        for name in names
    ]
    return names, rows


def _cell(bot: str, other: str, meetings: Meetings) -> Cell:
    if bot == other:
        return Cell("·", "self")
    meeting = meetings.get((bot, other))
    if meeting is None:
        return Cell("", "never")
    text = f"{100 * meeting.share:.0f}"
    css = f"h{shade(meeting.share)}" + (" odd" if meeting.is_surprise else "")
    title = (
        f"{100 * meeting.share:.1f} % of {counted(meeting.games, 'pair')}; the ratings expect "
        f"{100 * meeting.expected:.1f} % (z = {meeting.z:+.1f})"
    )
    return Cell(text, css, title)


def shade(share: float) -> int:
    """The shade of a share from 0 to 1: 1 far behind, 5 even, 9 far ahead."""
    middle = (_LEVELS + 1) // 2
    steps = min(middle - 1, int(round(abs(share - 0.5) / _SHADE, 6) + 0.5))
    return middle + steps if share > 0.5 else middle - steps


def cycle_steps(
    board: Leaderboard, meetings: Meetings, pages: Mapping[str, str]
) -> list[list[CycleStep]]:
    """The cycles that are shown, each as its three bots in turn."""
    return [
        [
            CycleStep(bot, pages[bot], f"{100 * meetings[bot, following].share:.0f}")
            for bot, following in zip(cycle, (*cycle[1:], cycle[0]), strict=True)
        ]
        for cycle in board.cycles[:CYCLES_SHOWN]
    ]
