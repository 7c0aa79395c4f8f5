"""Scripted deals of Callbreak: whatever the bot does, each brings it into a certain corner.

The corner lies in the first trick, or follows from an opponent that wins every trick, so no choice
of the bot's can avoid it. Hands are written by turn order: the bot's own first, then the seat that
acts after it, and so on; in a hand the suits S.H.D.C, `-` where there is none. Every hand has a
spade and a face card, so that no rule of redealing throws one in.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena.games.callbreak.cards import NUMBERS, SUITS
from arena.games.callbreak.shuffle import Dealt

SEATS = 4
BOT, RIGHT, OPPOSITE, LEFT = range(SEATS)
"""Players, counted from the bot in turn order."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One scripted deal. Players are counted from the bot: `dealer`, the order of `hands`.

    `wishes` are the cards that a player plays first, in this order, as far as they are legal.
    """

    dealer: int
    hands: tuple[str, str, str, str]
    wishes: tuple[tuple[int, str], ...] = ()

    def dealt(self, bot_seat: int) -> Dealt:
        """The cards as they are dealt when the bot sits in `bot_seat`."""
        hands = [_hand(self.hands[(seat - bot_seat) % SEATS]) for seat in range(SEATS)]
        return Dealt((bot_seat + self.dealer) % SEATS, tuple(hands))

    def wishes_of(self, player: int) -> tuple[str, ...]:
        """The names of the cards that a player likes to play, the dearest first."""
        return tuple(card for who, cards in self.wishes if who == player for card in cards.split())


def _hand(text: str) -> tuple[int, ...]:
    suits = zip(text.split("."), SUITS, strict=True)
    return tuple(NUMBERS[rank + suit] for ranks, suit in suits for rank in ranks.strip("-"))


OVERRUFF = Scene(
    BOT,
    ("AQ42.-.KJ53.KT742", "KT98.QT752.Q8.Q6", "653.AKJ98643.7.3", "J7.-.AT9642.AJ985"),
    ((RIGHT, "5H"), (LEFT, "7S")),
)
"""Hearts are led and ruffed with the 7; the bot has none, and spades above and below it."""

UNDERRUFF = Scene(
    RIGHT,
    ("J73.-.AJ84.QT8652", "AT642.AQT863.73.-", "Q98.KJ97542.T6.9", "K5.-.KQ952.AKJ743"),
    ((OPPOSITE, "4H"), (LEFT, "KS")),
)
"""Hearts are led and ruffed with the king; the bot has none, and only lower spades."""

RUFF = Scene(
    OPPOSITE,
    ("QT86.K97.AJ8643.-", "A95.QT63.K7.A872", "J732.J42.Q95.QT4", "K4.A85.T2.KJ9653"),
    ((LEFT, "3C"),),
)
"""Clubs are led to a bot that has none, and has spades."""

LEAD = Scene(
    LEFT,
    ("AK95.QT3.A64.J82", "QT3.K86.KT72.A94", "J82.AJ95.Q93.K65", "764.742.J85.QT73"),
)
"""The bot calls first and leads first, whatever it likes."""

LAST_IN_EVERY_TRICK = Scene(
    BOT,
    ("97.-.QT953.QT8642", "AKQJT.AKQJ.AK.AK", "864.T9743.J86.95", "532.8652.742.J73"),
    ((RIGHT, "AS KS QS JS TS AH KH QH JH AD KD AC KC"),),
)
"""The seat after the bot wins every trick, so that the bot's last request has all that a state can
have; on the way hearts are led to it when it has neither hearts nor spades."""

ONE_CARD = Scene(
    RIGHT,
    ("KJ84.QT92.7.A965", "A75.K84.AJ63.Q83", "Q92.J75.KT84.K72", "T63.A63.Q952.JT4"),
    ((OPPOSITE, "4D"),),
)
"""The bot has to follow with the only card of its suit."""

HEAD = Scene(
    OPPOSITE,
    ("A74.KQ53.T86.J92", "KT62.J86.A94.Q83", "Q95.T72.KJ52.A75", "J83.A94.Q73.KT64"),
    ((LEFT, "9H"),),
)
"""The bot follows, with cards above and below the best one."""

CORNERS = (OVERRUFF, UNDERRUFF, RUFF, LEAD)
FURTHER = (LAST_IN_EVERY_TRICK, ONE_CARD, HEAD)
"""The scenes of a match: the bot deals in the first one, and each seat in turn after it."""
