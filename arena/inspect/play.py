"""A match under way in which one seat is the bot's and the script answers for the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from arena_protocol.framing import encode

from arena.inspect.findings import Place
from arena.inspect.script import Script
from arena.inspect.subject import Subject
from arena.referee.api import RefereeRules, Table
from arena.referee.match import OVER, Match
from arena.referee.session import Session
from arena.tournament.seeds import seat_seed

NO_END_OF_STRIKES = 1_000_000


class Play:
    """The referee's match. The other seats' sessions are answered without a process.

    `message` is the last request to the bot; `answers` counts what it answered, `total_ms` is the
    time that took.
    """

    def __init__(self, subject: Subject, script: Script, session: Session) -> None:
        table = _table(subject, script)
        sessions = [_ghost() for _ in table.seats]
        sessions[script.seat] = session
        self.seat = script.seat
        self.match = Match(table, sessions)
        self.message: Mapping[str, Any] = {}
        self.answers = 0
        self.total_ms = 0.0
        self._script = script

    def next_turn(self) -> bool:
        """True if the bot is to be asked now; the others have been played. False at the end."""
        while (turn := self.match.turn()) != OVER:
            if turn == self.seat:
                return True
            message = _last_message(self.match.request())
            reply = {"id": message["id"], "action": self._script.answer(message)}
            self.match.received(encode(reply), 0.0)
        return False

    def ask(self) -> bytes:
        """What is to be written to the bot; `message` is the request in it."""
        request = self.match.request()
        self.message = _last_message(request)
        return request

    def farewell(self) -> bytes:
        """What is to be written to the bot when the match is over."""
        return b"".join(data for seat, data in self.match.farewells() if seat == self.seat)

    def place(self, process: int) -> Place:
        """Where the bot was asked last."""
        if not self.message:
            return Place(process, self._script.name)
        state = self.message["state"]
        trick = len(state["tricks"]) + 1 if "tricks" in state else None
        return Place(process, self._script.name, state.get("deal"), trick)

    def expected(self) -> str:
        """An answer to the last request that would have been right, and what else would be."""
        if not self.message:
            return "an answer to each request"
        legal = self.message["legal"]
        answer = encode({"id": self.message["id"], "action": legal[0]}).decode().strip()
        others = ", ".join(map(str, legal[1:]))
        return f"{answer} (or {others})" if others else answer


def _table(subject: Subject, script: Script) -> Table:
    seats, own = range(script.game.seats), subject.bot.name
    return Table(
        match=script.name,
        set=script.name,
        game=script.game,
        variant=subject.variant,
        seed=script.seed,
        seats=tuple(subject.bot.id for _ in seats),
        players=tuple(own if seat == script.seat else f"p{seat}" for seat in seats),
        seat_seeds=tuple(seat_seed(script.seed, seat) for seat in seats),
        started="",
        rules=RefereeRules(limits=subject.times, strikes=NO_END_OF_STRIKES),
    )


def _ghost() -> Session:
    """A greeted session that no process stands behind."""
    session = Session()
    session.hello({})
    session.receive(b'{"id":0}\n')
    return session


def _last_message(data: bytes) -> Mapping[str, Any]:
    message: Mapping[str, Any] = orjson.loads(data.rstrip(b"\n").rpartition(b"\n")[2])
    return message
