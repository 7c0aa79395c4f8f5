"""A person at the table of any game: sees the observation as it is, and chooses from a list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from arena.games.api import WireAction
from arena.report.escape import visible
from arena.report.plain_text import plain
from arena.report.view import Ask


class PlainPerson:
    """Decides by asking somebody. A game that no screen was drawn for is shown by this."""

    def __init__(self, console: Console, ask: Ask) -> None:
        self._console = console
        self._ask = ask

    def hear(self, message: Mapping[str, Any]) -> None:
        """Tells every notification, field by field."""
        self._console.print(fields_of(str(message["type"]).replace("_", " "), message, hide="type"))

    def decide(self, request: Mapping[str, Any]) -> WireAction:
        """Asks until the answer is legal; there is no clock and no way back."""
        self._console.print(fields_of(str(request["kind"]), request["state"]))
        legal: Sequence[WireAction] = request["legal"]
        by_text = {str(action): action for action in legal}
        choices = ", ".join(map(visible, by_text))
        while True:
            typed = self._ask(f"Your {visible(str(request['kind']))} ({choices}): ").strip()
            if typed in by_text:
                return by_text[typed]
            self._console.print(f"{visible(typed)!r} is not one of them.", markup=False)


def fields_of(title: str, values: Mapping[str, Any], *, hide: str = "") -> Table:
    """Names and values of a message or an observation, a row each."""
    table = Table(title=visible(title), title_justify="left", show_header=False, box=None)
    for key, value in values.items():
        if key != hide:
            table.add_row(visible(str(key)), visible(plain(value)))
    return table
