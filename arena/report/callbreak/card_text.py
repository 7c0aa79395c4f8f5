"""Cards as people write them, coloured for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
RED_SUITS = "HD"


def draw_hand(cards: Sequence[str]) -> Text:
    """Cards suit by suit, coloured; suits differ by their signs too."""
    text = Text()
    for suit, sign in SIGNS.items():
        ranks = [rank_of(card) for card in cards if card[1] == suit]
        if ranks:
            text.append(f"{sign} {' '.join(ranks)}  ", style=style_of(suit))
    return text


def draw_card(card: str) -> Text:
    """A card with its suit's sign: `10♦`."""
    return Text(rank_of(card) + SIGNS[card[1]], style=style_of(card[1]))


def rank_of(card: str) -> str:
    """A card's rank as people write it."""
    return "10" if card[0] == "T" else card[0]


def style_of(suit: str) -> str:
    """The colour of a suit."""
    return "red" if suit in RED_SUITS else "bold"
