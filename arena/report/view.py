"""How a game is shown to people in a terminal: what a view brings (views.py finds the right one).

A game that brings no view of its own (`arena_views`) is shown plainly: the observation as a table,
the action, the events (plain_replay.py, plain_person.py, plain_watch.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from rich.console import Console, RenderableType
from rich.text import Text

from arena.games.api import Game, WireAction
from arena.referee.api import Observer
from arena.referee.local import Decider

Ask = Callable[[str], str]
"""Shows a prompt and gives the line that was typed."""


class Moment(Protocol):
    """Where in a match we are. `seat` is the one to act; None where nobody is."""

    @property
    def deal(self) -> int: ...

    @property
    def trick(self) -> int | None: ...

    @property
    def seat(self) -> int | None: ...


class Stepped(Protocol):
    """A record that was found to keep the rules, moment by moment."""

    @property
    def names(self) -> Sequence[str]:
        """The bots, by seat, safe to print."""
        ...

    @property
    def moments(self) -> Sequence[Any]:
        """Every `Moment` of the match, in order."""
        ...

    def find(self, deal: int, trick: int | None = None, seat: int | None = None) -> int:
        """The index of the first moment of this place (and of this seat's decision there).

        Raises ConfigError if there is none.
        """
        ...

    def begins(self, index: int) -> str:
        """`deal` or `place` if one begins with this moment; else empty."""
        ...

    def draw(self, moment: Any, view: int | None = None) -> RenderableType:
        """The table at a moment. `view` is the one seat that is looked from; None: all is open."""
        ...

    def lines(self, first: int = 0) -> Iterator[str]:
        """The match from a moment on, in plain lines."""
        ...


class GameView(Protocol):
    """How one game is shown. `name` is the game's."""

    @property
    def name(self) -> str: ...

    def step(self, game: Game, record: Mapping[str, Any]) -> Stepped:
        """The record, to be stepped through. Raises ConfigError if it does not keep the rules."""
        ...

    def person(self, console: Console, ask: Ask) -> Decider:
        """Plays a seat by asking somebody at the terminal."""
        ...

    def watcher(self, console: Console) -> Observer:
        """Tells a match as it is played."""
        ...

    def action(self, action: WireAction) -> Text:
        """An action as people write it."""
        ...
