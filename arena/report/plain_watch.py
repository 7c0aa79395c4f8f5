"""Tells a match of any game as it is played: what each seat answers, and every notification."""

from __future__ import annotations

from typing import Any

import orjson
from arena_protocol.replies import Reply, action_index, parse_reply
from rich.console import Console

from arena.report.escape import visible
from arena.report.plain_text import event_line, place_words, plain

_PENDING_LIMIT_BYTES = 65_536
_ACTION_CHARS = 100
_OURS = frozenset(("hello", "start", "act", "fault", "end", "quit"))


class PlainWatcher:
    """An observer that prints a line for each action and each notification."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._asked: dict[int, dict[str, Any]] = {}
        self._pending: dict[int, bytes] = {}

    def sent(self, seat: int, data: bytes) -> None:
        """Tells notifications as seat 0 is sent them."""
        for line in data.splitlines():
            message = orjson.loads(line)
            if message["type"] == "act":
                self._asked[seat] = message
                self._pending[seat] = b""
            elif message["type"] not in _OURS and seat == 0:
                self._say(event_line(message))

    def received(self, seat: int, data: bytes) -> None:
        """Tells the action of a whole line."""
        begun = (self._pending.get(seat, b"") + data)[:_PENDING_LIMIT_BYTES]
        line, newline, _ = begun.partition(b"\n")
        self._pending[seat] = begun
        if newline and (asked := self._asked.pop(seat, None)):
            reply = parse_reply(line)
            if isinstance(reply, Reply) and action_index(reply.action, asked["legal"]) >= 0:
                self._tell(seat, asked, reply.action)

    def _tell(self, seat: int, asked: dict[str, Any], action: object) -> None:
        place = place_words(asked["state"].get("deal"), None)
        words = visible(f"{asked['kind']} {plain(action)}")[:_ACTION_CHARS]
        self._say(f"{place + '  ' if place else ''}seat {seat}: {words}")

    def _say(self, line: str) -> None:
        self._console.print(line, markup=False, soft_wrap=True)
