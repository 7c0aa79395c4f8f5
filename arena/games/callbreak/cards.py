"""The one card codec: a card is an integer 0..51 inside, two characters outside (`AS`, `TD`, `2C`).

Cards are numbered in the order in which the wire lists them: spades, hearts, diamonds, clubs, and
high to low within a suit. So AS is 0, 2S is 12, AH is 13, 2C is 51; a lower number within a suit
is a better card; the spades are the numbers below 13; a sorted hand is a hand in wire order, and
each suit is one slice of it. The rules of legality lean on exactly this.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from arena.games.callbreak.quoting import quoted

SUITS: Final = "SHDC"
RANKS: Final = "AKQJT98765432"
RANKS_PER_SUIT: Final = 13
SPADES: Final = 0
"""The number of the suit that is always trumps."""

DECK: Final = tuple(range(len(SUITS) * RANKS_PER_SUIT))
NAMES: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""Names by card: `NAMES[0]` is `AS`."""

Card = int
Hand = tuple[Card, ...]
"""Cards in ascending order, which is wire order."""

NUMBERS: Final = {name: card for card, name in enumerate(NAMES)}


def suit_of(card: Card) -> int:
    """The index of a card's suit in SUITS."""
    return card // RANKS_PER_SUIT


def names_of(cards: Iterable[Card]) -> list[str]:
    """The names of cards, in the order given."""
    return [NAMES[card] for card in cards]


def parse_card(name: object) -> Card:
    """The card of a name. Raises ValueError for anything that is not one of the 52 names."""
    if not isinstance(name, str) or name not in NUMBERS:
        raise ValueError(f"not a card: {quoted(name)}")
    return NUMBERS[name]


def parse_hand(names: Iterable[object]) -> Hand:
    """The hand that holds the cards of these names. Raises ValueError as `parse_card` does."""
    return tuple(sorted(parse_card(name) for name in names))
