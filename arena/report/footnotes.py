"""What a reader of a board must know, in lines below it."""

from __future__ import annotations

from collections.abc import Iterator

from arena.ratings.statistics import Mean
from arena.report.escape import visible
from arena.report.leaderboard import Leaderboard
from arena.words import counted

_CLEAR_BARS = 1.5
_MOST_SHOWN = 3


def footnotes(board: Leaderboard) -> Iterator[str]:
    """One plain sentence a line."""
    yield _size(board)
    if not board.rows:
        return
    yield _scale(board)
    if (repeats := board.fit.pairs.repeats) > 1:
        yield f"Every match stands {repeats} times in its deal set, and is rated once."
    if len(board.components) > 1:
        yield (
            f"{len(board.components)} groups of bots never met; each has a ranking of its own, and "
            "nothing can be compared between them."
        )
    yield from _open_bars(board)
    if board.order_dependent:
        yield (
            f"* {', '.join(board.order_dependent)}: the same matches in another order give other "
            "figures."
        )
    yield from _effects("seat", 0, board.seat_effects)
    yield from _effects("place after the dealer", 1, board.place_effects)
    yield from _surprises(board)
    yield from _cycles(board)


def _size(board: Leaderboard) -> str:
    parts = [
        f"{counted(len(board.rows), 'bot')}, {counted(board.matches, 'match', 'matches')}",
        f"in {counted(board.deal_sets, 'deal set')}",
    ]
    if board.void:
        parts.append(f"; {counted(board.void, 'void match', 'void matches')} not rated")
    if board.skipped:
        parts.append(f"; {counted(board.skipped, 'bad line')} skipped")
    return " ".join(parts).replace(" ;", ";") + "."


def _scale(board: Leaderboard) -> str:
    system = board.systems[0]
    if board.anchor:
        around = f"{visible(board.anchor[0])} is set to {board.anchor[1]:g}"
    else:
        around = "around a mean of 1500"
    bars = "" if board.rows[0].rated.high is None else "; ± is the 95 % error bar"
    return f"{system.summary[:1].upper()}{system.summary[1:]}; {around}{bars}."


def _open_bars(board: Leaderboard) -> Iterator[str]:
    """Why bars have no end, and what else the rating says about its figures."""
    ends = [row.rated.open_ends for row in board.rows]
    many = sum(end is not None for end in ends)
    if many:
        yield (
            f"{counted(many, 'bar')} without an end ('>' at least, '<' at most): the bots won, or "
            "lost, everything that could set one."
        )
    yield from map(visible, board.notes)


def _effects(of: str, first: int, effects: tuple[Mean, ...]) -> Iterator[str]:
    """The effects, if one of them lies far beyond its error bar."""
    if any(e.bar is not None and abs(e.value) > _CLEAR_BARS * e.bar for e in effects):
        figures = ", ".join(
            f"{number}: {effect.value:+.2f} ± {effect.bar or 0:.2f}"
            for number, effect in enumerate(effects, first)
        )
        yield f"Points a deal by {of}, beyond the bots' own means: {figures}."


def _surprises(board: Leaderboard) -> Iterator[str]:
    """The clearest pairs that took other points from each other than the ratings expected."""
    surprises = [pair for pair in board.pairs if pair.is_surprise]
    for pair in surprises[:_MOST_SHOWN]:
        yield (
            f"{visible(pair.bot)} took {pair.observed:g} of {pair.games} points from "
            f"{visible(pair.against)}; its rating expected {pair.expected:.1f} (z = {pair.z:.1f})."
        )
    if len(surprises) > _MOST_SHOWN:
        yield f"{counted(len(surprises) - _MOST_SHOWN, 'more pair')} like this: see --format json."


def _cycles(board: Leaderboard) -> Iterator[str]:
    for three in board.cycles[:_MOST_SHOWN]:
        first, second, third = map(visible, three)
        yield f"A cycle: {first} beats {second}, {second} beats {third}, {third} beats {first}."
    if len(board.cycles) > _MOST_SHOWN:
        yield f"{counted(len(board.cycles) - _MOST_SHOWN, 'more cycle')}: see --format json."
