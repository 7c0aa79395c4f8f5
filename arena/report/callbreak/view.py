"""The view of Callbreak."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Console, RenderableType
from rich.text import Text

from arena.games.api import Game, WireAction
from arena.games.callbreak.game import Callbreak
from arena.report.callbreak.card_text import draw_card
from arena.report.callbreak.lines import plain_lines
from arena.report.callbreak.person import Person
from arena.report.callbreak.replay import Moment, Replay
from arena.report.callbreak.screen import draw
from arena.report.callbreak.watch import Watcher
from arena.report.view import Ask


class Table(Replay):
    """A match as it looks from above."""

    def draw(self, moment: Moment, view: int | None = None) -> RenderableType:
        return draw(self, moment, view)

    def lines(self, first: int = 0) -> Iterator[str]:
        return plain_lines(self, first=first)


class CallbreakView:
    """Cards, calls and tricks."""

    name = Callbreak.name

    def step(self, game: Game, record: Mapping[str, Any]) -> Table:
        return Table(record)

    def person(self, console: Console, ask: Ask) -> Person:
        return Person(console, ask)

    def watcher(self, console: Console) -> Watcher:
        return Watcher(console)

    def action(self, action: WireAction) -> Text:
        if isinstance(action, str):
            return draw_card(action)
        return Text(str(action), style="bold")
