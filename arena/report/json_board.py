"""The leaderboard as JSON: the contract's fields, and everything else that is known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from arena.ratings.api import Rated
from arena.ratings.residuals import Residual
from arena.ratings.statistics import Mean
from arena.report.api import Screen
from arena.report.comparison import Comparison, Move
from arena.report.escape import visible_json
from arena.report.leaderboard import Leaderboard, Row

_DECIMALS = 4
_ALL_PAIRS_BOTS = 64


@dataclass(frozen=True, slots=True)
class JsonFormat:
    """One JSON object; figures to four decimals."""

    name: str = "json"
    summary: str = "one JSON object with every figure, for programs"

    def render(self, board: Leaderboard, screen: Screen) -> str:
        """The board as one indented JSON object."""
        return dump(board_object(board))

    def render_comparison(self, comparison: Comparison, screen: Screen) -> str:
        """Both boards and every bot's change as one JSON object."""
        return dump(
            {
                "rating": comparison.after.systems[0].name,
                "moves": [move_object(move) for move in comparison.moves],
                "before": board_object(comparison.before),
                "after": board_object(comparison.after),
            }
        )


def dump(value: object) -> str:
    """Indented JSON that ends with a newline."""
    text = orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()
    return visible_json(text)


def board_object(board: Leaderboard) -> dict[str, Any]:
    """The board as plain values."""
    return {
        "rating": board.systems[0].name,
        "rows": [row_object(row) for row in board.rows],
        "components": [list(group) for group in board.components],
        "anchor": None if board.anchor is None else dict([board.anchor]),
        "matches": board.matches,
        "deal_sets": board.deal_sets,
        "void": board.void,
        "skipped": board.skipped,
        "order_dependent": list(board.order_dependent),
        "seat_effects": [_mean(effect) for effect in board.seat_effects],
        "place_effects": [_mean(effect) for effect in board.place_effects],
        "notes": list(board.notes),
        "cycles": [list(three) for three in board.cycles],
        "pairs": [_pair(pair) for pair in _pairs_worth_space(board)],
    }


def _pairs_worth_space(board: Leaderboard) -> Sequence[Residual]:
    """Every pair of a field of usual size; of a large field only the surprises."""
    if len(board.rows) <= _ALL_PAIRS_BOTS:
        return board.pairs
    return [pair for pair in board.pairs if pair.is_surprise]


def _pair(pair: Residual) -> dict[str, Any]:
    return {
        "bot": pair.bot,
        "against": pair.against,
        "games": pair.games,
        "observed": pair.observed,
        "expected": rounded(pair.expected),
        "z": rounded(pair.z),
        "surprise": pair.is_surprise,
    }


def row_object(row: Row) -> dict[str, Any]:
    """One bot as plain values, the contract's fields first."""
    rated, statistics = row.rated, row.statistics
    return {
        "rank": row.rank,
        "bot": row.bot,
        "version": row.version,
        **_rating(rated),
        "matches": statistics.matches,
        "points_per_deal": _value(statistics.points_per_deal),
        "faults": row.conduct.faults,
        "elo_open": rated.open_ends,
        "se_cluster": rounded(rated.se_cluster),
        "se_model": rounded(rated.se_model),
        "los_next": rounded(rated.los_next),
        "los_leader": rounded(rated.los_leader),
        "points_se": _error(statistics.points_per_deal),
        "points_per_match": _value(statistics.points_per_match),
        "points_per_match_se": _error(statistics.points_per_match),
        "wins": statistics.wins,
        "shared_wins": statistics.shared_wins,
        "retired": statistics.retired,
        "calls": row.conduct.calls,
        "calls_made": rounded(row.calls_made),
        "mean_call": rounded(row.mean_call),
        "ms_per_move": rounded(row.ms_per_move),
        "ratings": {name: _rating(other) for name, other in row.others.items()},
    }


def move_object(move: Move) -> dict[str, Any]:
    """One bot's change as plain values; null where nothing can be compared."""
    change = move.change
    return {
        "bot": move.bot,
        "elo_before": rounded(move.before.rated.elo) if move.before else None,
        "elo_after": rounded(move.after.rated.elo) if move.after else None,
        "change": rounded(change.elo) if change else None,
        "change_bar": rounded(change.bar) if change else None,
        "clear": change.is_clear if change else None,
        "centred": change.centred if change else None,
    }


def _rating(rated: Rated) -> dict[str, float | None]:
    """An end at which the results set no limit is null."""
    return {
        "elo": rounded(rated.elo),
        "elo_low": rounded(rated.low),
        "elo_high": rounded(rated.high),
        "se": rounded(rated.se),
    }


def rounded(value: float | None) -> float | None:
    """The value to four decimals, never a negative zero; None for one that has no end."""
    return None if value is None or math.isinf(value) else round(value, _DECIMALS) + 0.0


def _value(mean: Mean | None) -> float | None:
    return None if mean is None else rounded(mean.value)


def _error(mean: Mean | None) -> float | None:
    return None if mean is None else rounded(mean.se)


def _mean(mean: Mean) -> dict[str, float | None]:
    return {"points": _value(mean), "se": _error(mean)}
