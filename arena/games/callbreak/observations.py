"""Observations as JSON, cheap enough for every decision of a match.

The same as `payloads.observation`, put together from parts that are kept as the deal goes on: the
hands, which lose a card at a time, the trick under way, the finished tricks, and what stands
between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import orjson

from arena.games.callbreak import payloads
from arena.games.callbreak.cards import NAMES, Card
from arena.games.callbreak.deal import TRICKS, Deal, Trick
from arena.games.callbreak.trick import SEATS

_ITEMS: Final = tuple(f',"{name}"' for name in NAMES)
"""Cards as they stand in a JSON list, after another one."""
_WIDTH: Final = 5
_NUMERALS: Final = tuple(str(number) for number in range(TRICKS + 1))


class Observations:
    """What each seat may know of one deal, which is the match's `number`th (from 1).

    Takes in a deal that has come however far, and must hear of every action from then on. Lists of
    cards are kept as `,"AS","KD"`: what is sent lacks the first comma.
    """

    __slots__ = ("_calls_and_scores", "_deal", "_hands", "_heads", "_scores", "_table", "_trick",
                 "_tricks")  # fmt: skip

    def __init__(self, deal: Deal, number: int, score_tenths: Sequence[int]) -> None:
        self._deal = deal
        head = f'{{"deal":{number},"deals":{deal.rules.deals},"dealer":{deal.dealt.dealer}'
        self._heads = [f'{head},"seat":{seat},"hand":[' for seat in range(SEATS)]
        self._hands = [_items(hand) for hand in deal.hands]
        self._scores = orjson.dumps(payloads.points(score_tenths)).decode()
        self._trick = _items(deal.trick)
        self._tricks = ",".join([_trick_json(trick, _items(trick.cards)) for trick in deal.tricks])
        self._calls_and_scores = self._table = ""
        self._write_calls()
        self._write_table()

    def of(self, seat: int) -> str:
        """The observation of a seat, as JSON."""
        hand = self._hands[seat][1:]
        if self._deal.is_calling:
            return f"{self._heads[seat]}{hand}{self._calls_and_scores}}}"
        return (
            f"{self._heads[seat]}{hand}{self._table}{self._trick[1:]}]}},"
            f'"tricks":[{self._tricks}]}}'
        )

    def some_of_hand(self, seat: int, start: int, stop: int) -> str:
        """The cards of a slice of a seat's hand, as a JSON list."""
        return f"[{self._hands[seat][start * _WIDTH + 1 : stop * _WIDTH]}]"

    def called(self) -> None:
        """A call has been made."""
        self._write_calls()
        self._write_table()

    def played(self, seat: int, card: Card) -> None:
        """A seat has played a card."""
        item = _ITEMS[card]
        self._hands[seat] = self._hands[seat].replace(item, "")
        self._trick += item
        if not self._deal.trick:
            self._close_trick()

    def _close_trick(self) -> None:
        closed = _trick_json(self._deal.tricks[-1], self._trick)
        self._tricks = f"{self._tricks},{closed}" if self._tricks else closed
        self._trick = ""
        self._write_table()

    def _write_calls(self) -> None:
        calls = ",".join(["null" if call is None else str(call) for call in self._deal.calls])
        self._calls_and_scores = f'],"calls":[{calls}],"scores":{self._scores}'

    def _write_table(self) -> None:
        deal = self._deal
        won, leader = ",".join([_NUMERALS[tricks] for tricks in deal.won]), _NUMERALS[deal.leader]
        self._table = (
            f'{self._calls_and_scores},"won":[{won}],"trick":{{"leader":{leader},"cards":['
        )


def _items(cards: Iterable[Card]) -> str:
    return "".join([_ITEMS[card] for card in cards])


def _trick_json(trick: Trick, items: str) -> str:
    leader, winner = _NUMERALS[trick.leader], _NUMERALS[trick.winner]
    return f'{{"leader":{leader},"cards":[{items[1:]}],"winner":{winner}}}'
