"""One of our bots at a table of the 2022 tournament: is asked their questions, gives their answers.

Every match gets a process of its own, started ahead: when a match can be over (nobody is asked for
the last card), or when a question belongs to another match than the one before. What the bot gets
wrong is answered by the lowest call or the lowest legal card, logged, and costs it its process.
`deal_over` and `end` are not told, since that interface never tells how a deal ended; a bot that
reads the state of each request misses nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from random import Random
from types import TracebackType
from typing import Any

from arena_protocol.framing import encode
from arena_protocol.replies import Reply, action_index, describe

from arena.adapters.bhoos.cards import their_name
from arena.adapters.bhoos.question import Asked
from arena.errors import ConfigError
from arena.games.callbreak.cards import RANKS, parse_card
from arena.referee.api import BotLink, Clock, TimeLimits
from arena.referee.evidence import status_in_words
from arena.referee.hosting import dismiss, greet
from arena.referee.pipes import StreamEndedError
from arena.referee.seat import Seat
from arena.referee.session import clock_json

Log = Callable[[str], None]


class ServedBot:
    """A bot behind that interface. A context manager: leaving it leaves no process.

    `start` starts a process of the bot; it and everything here must run in the main thread.
    """

    def __init__(
        self,
        name: str,
        start: Callable[[], BotLink],
        variant: Mapping[str, Any],
        *,
        limits: TimeLimits,
        clock: Clock,
        chance: Random,
        log: Log,
    ) -> None:
        self._name = name
        self._start = start
        self._variant = variant
        self._limits = limits
        self._clock = clock
        self._chance = chance
        self._log = log
        self._seat: Seat | None = None
        self._match: tuple[tuple[str, ...], int] | None = None
        self._deal = 0
        self._matches = 0

    def __enter__(self) -> ServedBot:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._leave()

    def get_ready(self) -> None:
        """A process of the bot has said hello. Raises ConfigError, with its log, if it cannot.

        Raises SandboxError if the sandbox cannot start it.
        """
        if self._seat is not None:
            return
        (seat,) = greet(
            [self._start()],
            [self._name],
            "callbreak",
            self._variant,
            self._limits,
            self._clock,
        )
        if seat.failure is not None:
            dismiss([seat], self._clock, 0)
            raise seat.failure
        if seat.breach is not None:
            dismiss([seat], self._clock, 0)
            log = " / ".join(seat.evidence.stderr.splitlines()[-4:])
            raise ConfigError(
                f"the bot cannot start: {seat.breach.detail}: {log}", where=self._name
            )
        self._seat = seat

    def answer(self, asked: Asked) -> int | str:
        """The `value` for a question: a call, or a card in their notation."""
        if self._belongs_elsewhere(asked):
            self._leave()
        action = self._action(asked)
        self._deal = asked.deal
        return action if isinstance(action, int) else their_name(parse_card(action))

    def rest(self, asked: Asked) -> None:
        """After an answer was given: a new process is started if the match can be over with it."""
        is_last = asked.kind == "play" and asked.cards_left <= 2
        if is_last and asked.deal >= asked.state["deals"]:
            self._leave()
        if self._seat is None:
            self.get_ready()

    def _belongs_elsewhere(self, asked: Asked) -> bool:
        if self._match is None:
            return False
        starts_over = asked.kind == "call" and asked.deal <= self._deal
        return starts_over or self._match != (asked.players, asked.seat)

    def _action(self, asked: Asked) -> int | str:
        try:
            self.get_ready()
            answer, problem = self._ask(asked)
        except ConfigError as error:
            answer, problem = None, str(error)
        if answer is not None:
            return answer
        self._log(f"{self._name}: {problem}; answered for it")
        self._leave()
        return _fallback(asked)

    def _ask(self, asked: Asked) -> tuple[int | str | None, str]:
        """The bot's action, or None and what is wrong instead."""
        seat = self._seat
        assert seat is not None
        if self._match is None:
            self._begin(seat, asked)
        session, pipes = seat.session, seat.pipes
        clock = clock_json(asked.budget_ms, asked.budget_ms)
        state, legal = _compact(asked.state), _compact(asked.legal)
        began = self._clock.now()
        try:
            pipes.send(session.ask(asked.kind, clock, state, legal))
            while (left_ms := asked.budget_ms - (self._clock.now() - began) * 1000) > 0:
                event = session.receive(pipes.receive(left_ms))
                if isinstance(event, Reply):
                    index = action_index(event.action, asked.legal)
                    if index < 0:
                        return None, f"illegal action {describe(event.action)}"
                    return asked.legal[index], ""
                if event is not None:
                    return None, f"{event.detail} ({event.arrived})"
        except StreamEndedError as error:
            breach, status = seat.ended(error)
            return None, f"{breach.detail} {status}"
        return None, f"no answer within {asked.budget_ms} ms ({status_in_words(None)})"

    def _begin(self, seat: Seat, asked: Asked) -> None:
        self._match = (asked.players, asked.seat)
        self._matches += 1
        seat.session.start(
            encode(
                {
                    "type": "start",
                    "match": f"served-{self._matches}",
                    "seat": asked.seat,
                    "deals": asked.state["deals"],
                    "players": asked.players,
                    "seed": self._chance.getrandbits(53),
                }
            )
        )

    def _leave(self) -> None:
        """No process is left, and no match is under way."""
        seat, self._seat = self._seat, None
        self._match = None
        self._deal = 0
        if seat is not None:
            seat.pipes.drain_log()
            dismiss([seat], self._clock, self._limits.grace_ms)


def _fallback(asked: Asked) -> int | str:
    """The lowest call; the legal card of the lowest rank."""
    if asked.kind == "call":
        return asked.legal[0]
    return max(asked.legal, key=lambda card: RANKS.index(str(card)[0]))


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
