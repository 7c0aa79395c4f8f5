"""Connect Four for `arena`: two seats, no chance, one action a turn (a column, 1 to 7).

A whole game in one file, as a plugin outside the package writes it: it imports documented names
only. A match is one game or more; the players take turns to begin. A win is worth a point, a draw
half a point to each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena import hookimpl
from arena.errors import ConfigError
from arena.games.api import TERMINAL, Action, Game, Position, State, WireAction
from arena.records import points_from_tenths

COLUMNS, ROWS, IN_A_ROW = 7, 6, 4
WIN, DRAW = 10, 5  # in tenths of a point


class Board(State):
    """A match under way. `columns` are the seats of the discs in each column, from the bottom."""

    def __init__(self, deals: int) -> None:
        self.deals = deals
        self.totals = [0, 0]
        self.done: list[dict[str, Any]] = []
        self.pending: list[dict[str, Any]] = []
        self._begin()

    def _begin(self) -> None:
        self.columns: list[list[int]] = [[] for _ in range(COLUMNS)]
        self.played: list[int] = []

    @property
    def first(self) -> int:
        return len(self.done) % 2

    def current_player(self) -> int:
        return TERMINAL if self.is_terminal() else (self.first + len(self.played)) % 2

    def legal_actions(self) -> Sequence[Action]:
        if self.is_terminal():
            return []
        return [c for c in range(COLUMNS) if len(self.columns[c]) < ROWS]

    def apply(self, action: Action) -> None:
        if action not in self.legal_actions():
            raise ValueError(f"column {action} is not legal")
        seat = self.current_player()
        self.columns[action].append(seat)
        self.played.append(action)
        if self._wins(action, seat):
            self._end([WIN * (seat == each) for each in range(2)])
        elif len(self.played) == COLUMNS * ROWS:
            self._end([DRAW, DRAW])

    def _wins(self, column: int, seat: int) -> bool:
        """Whether the disc just dropped completes a row."""
        row = len(self.columns[column]) - 1
        for across, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            count = 1
            for way in (1, -1):
                x, y = column + way * across, row + way * up
                while (
                    0 <= x < COLUMNS
                    and 0 <= y < len(self.columns[x])
                    and (self.columns[x][y] == seat)
                ):
                    count, x, y = count + 1, x + way * across, y + way * up
            if count >= IN_A_ROW:
                return True
        return False

    def _end(self, points: list[int]) -> None:
        deal = {
            "first": self.first,
            "columns": [column + 1 for column in self.played],
            "points": [points_from_tenths(each) for each in points],
        }
        self.totals = [total + each for total, each in zip(self.totals, points, strict=True)]
        self.done.append(deal)
        scores = [points_from_tenths(total) for total in self.totals]
        self.pending.append({"type": "deal_over", "deal": len(self.done), **deal, "scores": scores})
        self._begin()

    def clone(self) -> Board:
        twin = Board(self.deals)
        twin.totals, twin.done, twin.pending = [*self.totals], [*self.done], [*self.pending]
        twin.columns, twin.played = [[*column] for column in self.columns], [*self.played]
        return twin

    def is_terminal(self) -> bool:
        return len(self.done) == self.deals

    def returns(self) -> Sequence[int]:
        return self.totals

    def kind(self) -> str:
        return "drop"

    def encode(self, action: Action) -> WireAction:
        return action + 1

    def observation(self, seat: int) -> dict[str, Any]:
        """All is open: the board by columns, from the bottom, 1 for one's own discs."""
        return {
            "deal": min(len(self.done) + 1, self.deals),
            "board": [[int(disc == seat) for disc in column] for column in self.columns],
            "played": [column + 1 for column in self.played],
            "scores": [points_from_tenths(total) for total in self.totals],
        }

    def fallback(self) -> Action:
        return self.legal_actions()[0]

    def position(self) -> Position:
        return Position(min(len(self.done) + 1, self.deals), len(self.played) + 1)

    def events(self) -> Sequence[dict[str, Any]]:
        told, self.pending = self.pending, []
        return told

    def record(self) -> Sequence[dict[str, Any]]:
        return list(self.done)


class ConnectFour(Game):
    """The rules. A match of this game has no chance: its seed decides nothing."""

    name = "connect-four"
    version = "1"
    seats = 2
    chance = False

    def variants(self) -> Mapping[str, Mapping[str, Any]]:
        return {"standard": {"name": "standard", "deals": 2}}

    def variant(self, name: str, parameters: Mapping[str, Any] | None = None) -> dict[str, Any]:
        changed = {key: value for key, value in (parameters or {}).items() if key != "name"}
        if name != "standard":
            raise ConfigError(f"there is no variant {name!r}", mend="known: standard")
        if unknown := set(changed) - {"deals"}:
            raise ConfigError(f"`{min(unknown)}` is no parameter of this game")
        deals = changed.get("deals", 2)
        if type(deals) is not int or deals < 1:
            raise ConfigError(f"`deals` is {deals!r}, not a number from 1")
        return {"name": name, "deals": deals}

    def deals_of(self, variant: Mapping[str, Any]) -> int:
        return int(variant["deals"])

    def span(self, variant: Mapping[str, Any], *, duel: bool) -> float:
        """A game is won or lost by a point, in both matches of a set."""
        return 1.0

    def new_match(self, seed: str, variant: Mapping[str, Any]) -> Board:
        return Board(self.deals_of(variant))

    def rules_text(self, variant: Mapping[str, Any]) -> str:
        return (
            "# Connect Four\n\nTwo players in turn drop a disc into one of seven columns of six "
            "places. Four of one's own in a row, across, upright or slanting, win a point; a full "
            f"board is half a point to each. A match is {self.deals_of(variant)} games; players "
            "take turns to begin.\n"
        )


@hookimpl
def arena_games() -> Sequence[Game]:
    """The one game of this package."""
    return [ConnectFour()]
