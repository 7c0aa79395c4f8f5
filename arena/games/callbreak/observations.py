"""Observations as JSON, cheap enough for every decision of a match.

The same as `payloads.observation`, put together from parts that are written when they change: the
heads once a deal, finished tricks and the tally once a trick, hands and open cards each time.
"""

from __future__ import annotations

from collections.abc import Sequence

import orjson

from arena.games.callbreak import payloads
from arena.games.callbreak.cards import NAMES, Card, Hand
from arena.games.callbreak.deal import Deal, Trick
from arena.games.callbreak.trick import SEATS

_quoted = tuple(f'"{name}"' for name in NAMES).__getitem__
_WIDTH = len('"AS",')


def cards_json(cards: Sequence[Card]) -> str:
    """Cards as a JSON list."""
    return f"[{','.join(map(_quoted, cards))}]"


class Observations:
    """What each seat may know of one deal, which is the match's `number`th (from 1)."""

    __slots__ = ("_calls_and_scores", "_deal", "_hand", "_hand_json", "_heads", "_number",
                 "_score_tenths", "_table", "_tricks", "_tricks_in")  # fmt: skip

    def __init__(self, deal: Deal, number: int, score_tenths: Sequence[int]) -> None:
        self._deal = deal
        self._number = number
        self._score_tenths = score_tenths
        self._heads = tuple(
            f'{{"deal":{number},"deals":{deal.rules.deals},"dealer":{deal.dealt.dealer},'
            f'"seat":{seat},"hand":'
            for seat in range(SEATS)
        )
        self._hand: Hand = ()
        self._hand_json = "[]"
        self._tricks_in = -1
        self._tricks = self._table = self._calls_and_scores = ""

    def of(self, seat: int) -> str:
        """The observation of a seat, as JSON."""
        deal = self._deal
        if deal.is_calling:
            return self._while_calling(seat)
        if self._tricks_in != len(deal.tricks):
            self._take_in_tricks()
        self._hand = deal.hands[seat]
        self._hand_json = cards_json(self._hand)
        return (
            f"{self._heads[seat]}{self._hand_json}{self._table}"
            f'{cards_json(deal.trick)}}},"tricks":[{self._tricks}]}}'
        )

    def legal(self, cards: Hand) -> str:
        """Legal cards as a JSON list: they stand side by side in the hand (see trick.py), and in
        the JSON of the hand that was observed last, which is usually the hand in question."""
        hand = self._hand
        if cards is hand:
            return self._hand_json
        if not cards or cards[0] not in hand:
            return cards_json(cards)
        first = hand.index(cards[0])
        if hand[first : first + len(cards)] != cards:
            return cards_json(cards)
        start = 1 + first * _WIDTH
        return f"[{self._hand_json[start : start + len(cards) * _WIDTH - 1]}]"

    def _while_calling(self, seat: int) -> str:
        known = payloads.observation(
            self._deal, seat, number=self._number, score_tenths=self._score_tenths
        )
        return orjson.dumps(known).decode()

    def _take_in_tricks(self) -> None:
        """Brings everything up to date that changes when a trick is over."""
        deal = self._deal
        if self._tricks_in < 0:
            calls, scores = list(deal.calls), payloads.points(self._score_tenths)
            known = orjson.dumps({"calls": calls, "scores": scores}).decode()
            self._calls_and_scores = f",{known[1:-1]}"
            self._tricks_in = 0
        fresh = [_trick_json(trick) for trick in deal.tricks[self._tricks_in :]]
        self._tricks = ",".join([self._tricks, *fresh] if self._tricks else fresh)
        self._tricks_in = len(deal.tricks)
        won = ",".join(map(str, deal.won))
        self._table = (
            f'{self._calls_and_scores},"won":[{won}],"trick":{{"leader":{deal.leader},"cards":'
        )


def _trick_json(trick: Trick) -> str:
    cards = cards_json(trick.cards)
    return f'{{"leader":{trick.leader},"cards":{cards},"winner":{trick.winner}}}'
