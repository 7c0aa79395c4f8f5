"""A match of Callbreak under way: the game interface's `State`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.games.api import TERMINAL, Position
from arena.games.callbreak import payloads
from arena.games.callbreak.cards import NAMES, NUMBERS
from arena.games.callbreak.deal import TRICKS, Deal, FinishedDeal
from arena.games.callbreak.observations import Observations
from arena.games.callbreak.shuffle import Dealt
from arena.games.callbreak.trick import SEATS
from arena.games.callbreak.variants import Variant


class CallbreakState:
    """A match: its deals are all dealt before the first call, and played one after another.

    When the last deal is over it stays in view; a finished match asks nobody.
    """

    __slots__ = (
        "_deal",
        "_dealt",
        "_finished",
        "_notified",
        "_observations",
        "_outcomes",
        "_rules",
        "_totals",
    )

    def __init__(self, dealt: tuple[Dealt, ...], rules: Variant) -> None:
        self._dealt = dealt
        self._rules = rules
        self._finished: list[FinishedDeal] = []
        self._outcomes: list[dict[str, Any]] = []
        self._notified = 0
        self._totals: tuple[int, ...] = (0,) * SEATS
        self._deal = Deal(dealt[0], rules)
        self._observations: Observations | None = None

    def clone(self) -> CallbreakState:
        twin = CallbreakState(self._dealt, self._rules)
        twin._finished, twin._outcomes = self._finished[:], self._outcomes[:]
        twin._notified = self._notified
        twin._totals = self._totals
        twin._deal = self._deal.clone()
        return twin

    def current_player(self) -> int:
        deal = self._deal
        return TERMINAL if deal.is_over else deal.turn

    def legal_actions(self) -> tuple[int, ...]:
        return self._deal.legal()

    def apply(self, action: int) -> None:
        deal, observations = self._deal, self._observations
        seat, is_call = deal.turn, deal.is_calling
        deal.apply(action)
        if observations is not None:
            if is_call:
                observations.called()
            else:
                observations.played(seat, action)
        if deal.is_over:
            self._close_deal()

    def _close_deal(self) -> None:
        finished = self._deal.finished(len(self._finished) + 1, self._totals)
        self._finished.append(finished)
        self._outcomes.append(payloads.outcome(finished))
        self._totals = finished.score_tenths
        if not self.is_terminal():
            self._deal = Deal(self._dealt[len(self._finished)], self._rules)
            self._observations = None

    def is_terminal(self) -> bool:
        return len(self._finished) == len(self._dealt)

    def returns(self) -> tuple[int, ...]:
        return self._totals

    def kind(self) -> str:
        return "call" if self._deal.is_calling else "play"

    def encode(self, action: int) -> int | str:
        return action if self._deal.is_calling else NAMES[action]

    def decode(self, sent: object) -> int | None:
        deal = self._deal
        if deal.is_calling:
            action = sent if type(sent) is int else None
        else:
            action = NUMBERS.get(sent) if type(sent) is str else None
        return action if action in deal.legal() else None

    def observation(self, seat: int) -> dict[str, Any]:
        return payloads.observation(
            self._deal, seat, number=self.position().deal, score_tenths=self._before_this_deal()
        )

    def observation_json(self, seat: int) -> str:
        return self._observed().of(seat)

    def legal_json(self) -> str:
        return self.question(self._deal.turn)[2]

    def question(self, seat: int) -> tuple[str, str, str]:
        deal, observations = self._deal, self._observed()
        legal = deal.legal()
        if deal.is_calling:
            calls = ",".join([str(call) for call in legal])
            return "call", observations.of(seat), f"[{calls}]"
        start = deal.first_legal
        cards = observations.some_of_hand(deal.turn, start, start + len(legal))
        return "play", observations.of(seat), cards

    def answer(self, sent: object) -> int | None:
        action = self.decode(sent)
        if action is None:
            return None
        self.apply(action)
        return self.current_player()

    def _observed(self) -> Observations:
        """The deal's observations, which are kept from the first time that one is asked for."""
        observations = self._observations
        if observations is None:
            number, before = self.position().deal, self._before_this_deal()
            observations = self._observations = Observations(self._deal, number, before)
        return observations

    def _before_this_deal(self) -> tuple[int, ...]:
        if not self.is_terminal():
            return self._totals
        last = self._finished[-1]
        pairs = zip(last.score_tenths, last.tenths, strict=True)
        return tuple(total - earned for total, earned in pairs)

    def fallback(self) -> int:
        return self._deal.fallback()

    def position(self) -> Position:
        deal = min(len(self._finished) + 1, len(self._dealt))
        trick = None if self._deal.is_calling else min(len(self._deal.tricks) + 1, TRICKS)
        return Position(deal, trick)

    def events(self) -> Sequence[dict[str, Any]]:
        if self._notified == len(self._finished):
            return ()  # the usual case, asked after every action
        first, self._notified = self._notified, len(self._finished)
        fresh = zip(self._finished[first:], self._outcomes[first:], strict=True)
        return [payloads.deal_over(deal, outcome) for deal, outcome in fresh]

    def record(self) -> Sequence[dict[str, Any]]:
        finished = zip(self._finished, self._outcomes, strict=True)
        return [payloads.record_deal(deal, outcome) for deal, outcome in finished]
