"""One deal under way: four calls, then thirteen tricks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

from arena.games.callbreak.cards import RANKS_PER_SUIT, Card, Hand
from arena.games.callbreak.scoring import tenths_of
from arena.games.callbreak.shuffle import Dealt
from arena.games.callbreak.trick import SEATS, beats, legal_slice
from arena.games.callbreak.variants import Variant

TRICKS: Final = 13


@final
class Trick:
    """A finished trick: four cards in playing order, beginning with the leader's."""

    __slots__ = ("cards", "leader", "winner")

    def __init__(self, leader: int, cards: tuple[Card, ...], winner: int) -> None:
        self.leader = leader
        self.cards = cards
        self.winner = winner


@dataclass(frozen=True, slots=True)
class FinishedDeal:
    """A deal that has been played. `number` from 1; lists of four by seat; scores are running."""

    number: int
    dealt: Dealt
    calls: tuple[int, ...]
    tricks: tuple[Trick, ...]
    won: tuple[int, ...]
    tenths: tuple[int, ...]
    score_tenths: tuple[int, ...]


class Deal:
    """Calls, cards and tricks of one deal. Lists of four are by seat.

    An action is a call (1..13) until four calls are made, a card (0..51) after that. `turn` is the
    seat to act; `calls` holds None where a seat has not called yet. `is_calling` and `is_over` say
    how far the deal has come; they are attributes because every decision asks for them often.
    `first_legal` is where in the hand the legal cards begin: they stand there side by side.
    """

    __slots__ = (
        "_best",
        "_legal",
        "_winner",
        "calls",
        "dealt",
        "first_legal",
        "hands",
        "is_calling",
        "is_over",
        "leader",
        "rules",
        "trick",
        "tricks",
        "turn",
        "won",
    )

    def __init__(self, dealt: Dealt, rules: Variant) -> None:
        self.dealt = dealt
        self.rules = rules
        self.hands: list[Hand] = list(dealt.hands)
        self.calls: list[int | None] = [None] * SEATS
        self.leader = self.turn = (dealt.dealer + 1) % SEATS
        self.trick: list[Card] = []
        self.tricks: list[Trick] = []
        self.won = [0] * SEATS
        self.is_calling = True
        self.is_over = False
        self.first_legal = 0
        self._best = 0  # the best card of the trick under way, and who played it
        self._winner = 0
        self._legal: tuple[int, ...] | None = None

    def clone(self) -> Deal:
        """A copy that can be played on without touching this one."""
        twin = Deal(self.dealt, self.rules)
        twin.hands, twin.calls, twin.won = self.hands[:], self.calls[:], self.won[:]
        twin.leader, twin.turn = self.leader, self.turn
        twin._legal, twin.first_legal = self._legal, self.first_legal
        twin._best, twin._winner = self._best, self._winner
        twin.trick, twin.tricks = self.trick[:], self.tricks[:]
        twin.is_calling, twin.is_over = self.is_calling, self.is_over
        return twin

    def legal(self) -> tuple[int, ...]:
        """The calls or cards that the seat to act may choose from, in wire order."""
        legal = self._legal
        if legal is None:
            legal = self._legal = self._find_legal()
        return legal

    def _find_legal(self) -> tuple[int, ...]:
        if self.is_calling:
            return tuple(range(self.rules.min_call, self.rules.max_call + 1))
        hand = self.hands[self.turn]
        self.first_legal = 0
        if not self.trick:
            return hand  # of no card, once over
        self.first_legal, stop = legal_slice(hand, self.trick[0], self._best, self.rules)
        return hand[self.first_legal : stop]

    def apply(self, action: int) -> None:
        """Makes a call or plays a card. Raises ValueError, changing nothing, if not legal."""
        if action not in self.legal():
            raise ValueError(f"{action} is not legal here")
        self._legal = None
        if self.is_calling:
            self.calls[self.turn] = action
            self.is_calling = self.turn != self.dealt.dealer
            self.turn = (self.turn + 1) % SEATS
        else:
            self._play(action)

    def _play(self, card: Card) -> None:
        seat, trick = self.turn, self.trick
        hand = self.hands[seat]
        place = hand.index(card)
        self.hands[seat] = hand[:place] + hand[place + 1 :]
        if not trick or beats(card, self._best):
            self._best, self._winner = card, seat
        trick.append(card)
        if len(trick) < SEATS:
            self.turn = (seat + 1) % SEATS
        else:
            self._close_trick()

    def _close_trick(self) -> None:
        winner = self._winner
        self.tricks.append(Trick(self.leader, tuple(self.trick), winner))
        self.is_over = len(self.tricks) == TRICKS
        self.won[winner] += 1
        self.trick = []
        self.leader = self.turn = winner

    def finished(self, number: int, before: Sequence[int]) -> FinishedDeal:
        """What this deal, played to its end as the match's `number`th, came to.

        `before` are the totals before it, in tenths by seat.
        """
        calls = tuple(call for call in self.calls if call is not None)
        pairs = zip(calls, self.won, strict=True)
        tenths = tuple(tenths_of(call, won, self.rules) for call, won in pairs)
        return FinishedDeal(
            number=number,
            dealt=self.dealt,
            calls=calls,
            tricks=tuple(self.tricks),
            won=tuple(self.won),
            tenths=tenths,
            score_tenths=tuple(map(sum, zip(before, tenths, strict=True))),
        )

    def fallback(self) -> int:
        """The lowest call; the legal card of the lowest rank, of equals the one listed last."""
        legal = self.legal()
        if self.is_calling:
            return legal[0]
        return max(legal, key=lambda card: (card % RANKS_PER_SUIT, card))
