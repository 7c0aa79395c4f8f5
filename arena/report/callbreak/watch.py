"""Prints a match as it is played, from the public notifications that every seat is sent."""

from __future__ import annotations

from typing import Any

import orjson
from rich.console import Console


class Watcher:
    """An observer that tells the play of a match, trick by trick, on a console."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._tricks_told = 0

    def sent(self, seat: int, data: bytes) -> None:
        """Tells what a request or the end of a deal shows for the first time."""
        for line in data.splitlines():
            self._read(seat, orjson.loads(line))

    def received(self, seat: int, data: bytes) -> None:
        """What a bot answered shows in the next request."""

    def _read(self, seat: int, message: dict[str, Any]) -> None:
        if message["type"] == "act" and message["kind"] == "play":
            self._tell_tricks(message["state"]["deal"], message["state"]["tricks"])
        elif message["type"] == "deal_over" and seat == 0:
            self._tell_deal(message)

    def _tell_tricks(self, deal: int, tricks: list[dict[str, Any]]) -> None:
        if len(tricks) < self._tricks_told:
            self._tricks_told = 0
        for trick in tricks[self._tricks_told :]:
            self._tell_trick(deal, trick)
        self._tricks_told = len(tricks)

    def _tell_trick(self, deal: int, trick: dict[str, Any]) -> None:
        seats = [(trick["leader"] + turn) % 4 for turn in range(4)]
        cards = "  ".join(f"{s}:{card}" for s, card in zip(seats, trick["cards"], strict=True))
        self._say(f"deal {deal}  {cards}  won by {trick['winner']}")

    def _tell_deal(self, message: dict[str, Any]) -> None:
        self._tell_tricks(message["deal"], message["tricks"])
        self._tricks_told = 0
        self._say(
            f"deal {message['deal']} over: called {message['calls']}, won {message['won']}, "
            f"points {message['points']}, totals {message['scores']}"
        )

    def _say(self, line: str) -> None:
        self._console.print(line, markup=False, soft_wrap=True)
