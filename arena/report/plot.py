"""The leaderboard as a picture: ratings with error bars, and who took how much from whom.

The same board gives the same file, byte for byte with one version of matplotlib.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from arena.errors import ConfigError, writing
from arena.report.elo_scale import scale_of
from arena.report.escape import visible
from arena.report.leaderboard import Leaderboard

_SUFFIXES = (".svg", ".png")
_INCHES_A_BOT = 0.34
_CELLS_WITH_FIGURES = 24
_LABELLED_BOTS = 60
_NAME_CHARS = 28
_INK, _SURPRISE_INK = "#1f4e79", "#c00000"
_STYLE = {"svg.hashsalt": "arena", "font.size": 9, "axes.titlesize": 10, "svg.fonttype": "path"}


def draw_board(board: Leaderboard, path: Path) -> None:
    """Writes the picture, SVG or PNG by the file's suffix.

    Raises ConfigError for another suffix, without matplotlib, and if the file cannot be written.
    """
    if path.suffix.lower() not in _SUFFIXES:
        raise ConfigError(
            f"cannot draw {path.suffix or 'a file without suffix'}",
            where=f"--plot {path}",
            mend="name a .svg or .png file",
        )
    matplotlib, figure_type = _matplotlib()
    with matplotlib.rc_context(_STYLE):
        figure = _figure(board, figure_type)
        svg = path.suffix.lower() == ".svg"
        with writing(f"--plot {path}", mend="name a file in a folder that can be written"):
            figure.savefig(path, dpi=150, metadata={"Date": None} if svg else {"Software": None})


def _matplotlib() -> tuple[Any, Any]:
    # Imported here because the package is an extra, and slow to load for those who draw nothing.
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ConfigError(
            "the package matplotlib is not installed",
            where="--plot",
            mend="pip install 'callbreak-arena[plot]'",
        ) from error
    return matplotlib, Figure


def _figure(board: Leaderboard, figure_type: Any) -> Any:
    bots = len(board.rows)
    height = max(3.0, 1.4 + _INCHES_A_BOT * bots)
    figure = figure_type(figsize=(5.0 + height, height), layout="constrained")
    if bots:
        left, right = figure.subplots(1, 2, width_ratios=[5.0, height])
        _draw_ratings(board, left)
        _draw_heat_map(board, right)
    return figure


def _draw_ratings(board: Leaderboard, axes: Any) -> None:
    places = range(len(board.rows))
    elo = [row.rated.elo for row in board.rows]
    scale = scale_of([row.rated for row in board.rows])
    ends = [scale.ends(row.rated) for row in board.rows]
    bars = [
        [figure - low for figure, (low, _) in zip(elo, ends, strict=True)],
        [high - figure for figure, (_, high) in zip(elo, ends, strict=True)],
    ]
    axes.errorbar(elo, places, xerr=bars, fmt="o", color=_INK, capsize=3, markersize=4)
    _draw_arrows(board, ends, axes)
    axes.set_title(f"{board.systems[0].name}, with 95 % error bars", loc="left")
    axes.grid(axis="x", alpha=0.3)
    labels = [f"{_label(row.bot)}  {place}" for place, row in enumerate(board.rows, 1)]
    axes.set_yticks(places, labels, parse_math=False)
    axes.set_ylim(len(board.rows) - 0.5, -0.5)
    for start in _group_starts(board):
        axes.axhline(start - 0.5, color="grey", linewidth=0.8, linestyle=":")


def _draw_arrows(board: Leaderboard, ends: list[tuple[float, float]], axes: Any) -> None:
    """An arrow at every end of a bar at which the results set no limit."""
    for place, (row, (low, high)) in enumerate(zip(board.rows, ends, strict=True)):
        if row.rated.open_ends in ("low", "both"):
            axes.plot([low], [place], marker="<", color=_INK)
        if row.rated.open_ends in ("high", "both"):
            axes.plot([high], [place], marker=">", color=_INK)


def _draw_heat_map(board: Leaderboard, axes: Any) -> None:
    share = _shares(board)
    axes.imshow(share, cmap="RdBu", vmin=0, vmax=1, aspect="auto")
    axes.set_title("Points of row from column, %", loc="left")
    places = range(len(board.rows))
    if len(board.rows) <= _LABELLED_BOTS:
        axes.set_xticks(places, [str(place + 1) for place in places])
        axes.set_yticks(places, [str(place + 1) for place in places])
    if len(board.rows) <= _CELLS_WITH_FIGURES:
        for row, column in np.argwhere(~np.isnan(share)):
            value = share[row, column]
            colour = "white" if abs(value - 0.5) > 0.3 else "black"
            figure = f"{100 * value:.0f}"
            axes.text(column, row, figure, ha="center", va="center", fontsize=7, color=colour)
    if any(pair.is_surprise for pair in board.pairs):
        axes.set_xlabel("boxed: not as the ratings expect, |z| > 3")
        _box_surprises(board, axes)


def _box_surprises(board: Leaderboard, axes: Any) -> None:
    place = {row.bot: number for number, row in enumerate(board.rows)}
    for pair in board.pairs:
        if pair.is_surprise:
            a, b = place[pair.bot], place[pair.against]
            for x, y in ((a, b), (b, a)):
                across = [x - 0.5, x + 0.5, x + 0.5, x - 0.5, x - 0.5]
                down = [y - 0.5, y - 0.5, y + 0.5, y + 0.5, y - 0.5]
                axes.plot(across, down, color=_SURPRISE_INK, linewidth=1.5)


def _shares(board: Leaderboard) -> Any:
    """Points of row against column as a share, in the board's order; nan where they never met."""
    pairs = board.fit.pairs
    number = {bot: index for index, bot in enumerate(pairs.bots)}
    order = [number[row.bot] for row in board.rows]
    played = pairs.played[np.ix_(order, order)]
    won = pairs.won_halves[np.ix_(order, order)] / 2
    return np.where(played > 0, won / np.maximum(1, played), np.nan)


def _group_starts(board: Leaderboard) -> list[int]:
    firsts = {group[0] for group in board.components[1:]}
    return [place for place, row in enumerate(board.rows) if row.bot in firsts]


def _label(name: str) -> str:
    text = visible(name)
    return text if len(text) <= _NAME_CHARS else f"{text[: _NAME_CHARS - 1]}…"
