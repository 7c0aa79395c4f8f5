"""The notation of the 2022 tournament: an ace is `1`, suits come in the order S, H, C, D.

The bridge has the same table of its own, since it runs where nothing of the arena is.
"""

from __future__ import annotations

from arena.games.callbreak.cards import NAMES, RANKS, Card, parse_card

ACE = "1"
SUITS = "SHCD"


def our_card(theirs: str) -> Card:
    """The card of one of their names. Raises ValueError for anything else."""
    if theirs.startswith("A"):
        raise ValueError(f"not a card there: {theirs[:10]!r}")
    return parse_card("A" + theirs[1:] if theirs.startswith(ACE) else theirs)


def our_name(theirs: str) -> str:
    """Our name of one of their cards. Raises ValueError for anything that is none."""
    return NAMES[our_card(theirs)]


def their_name(card: Card) -> str:
    """Their name of a card."""
    name = NAMES[card]
    return ACE + name[1] if name[0] == RANKS[0] else name
