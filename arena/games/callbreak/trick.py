"""Which cards may be played to a trick, and who wins it. The only source of legality.

Cards are numbered so that every duty of the rules is one slice of the sorted hand (see cards.py):
the cards of a suit, the cards of the led suit above the best one, the spades above the best spade.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from arena.games.callbreak.cards import RANKS_PER_SUIT, Card, Hand
from arena.games.callbreak.variants import Variant, VoidDuty

SEATS: Final = 4

# Names of other modules, and members of enumerations, are looked up slowly: these are asked for in
# most decisions.
_place: Final = bisect_left
_FREE: Final = VoidDuty.FREE
_OVERRUFF: Final = VoidDuty.OVERRUFF


def legal_cards(hand: Hand, trick: Sequence[Card], rules: Variant) -> Hand:
    """The cards of a hand that may be played to a trick under way, in wire order.

    `trick` has the 0 to 3 cards that lie on the table, in playing order.
    """
    if not trick:
        return hand
    start, stop = legal_slice(hand, trick[0], best_card(trick), rules)
    return hand[start:stop]


def legal_slice(hand: Hand, led: Card, best: Card, rules: Variant) -> tuple[int, int]:
    """Which slice of a hand may be played to a trick whose first card and best card are given."""
    first = led - led % RANKS_PER_SUIT
    start = _place(hand, first)
    stop = _place(hand, first + RANKS_PER_SUIT, start)
    if start == stop:
        return 0, _void_stop(hand, best, rules)
    is_ruffed = best < RANKS_PER_SUIT <= led
    if rules.must_head and not is_ruffed and hand[start] < best:
        stop = _place(hand, best, start, stop)
    return start, stop


def _void_stop(hand: Hand, best: Card, rules: Variant) -> int:
    """Where the cards end, from the first one of the hand, of a player who cannot follow."""
    if rules.void_duty is _FREE:
        return len(hand)
    is_bound_by_best = rules.void_duty is _OVERRUFF and best < RANKS_PER_SUIT
    return _place(hand, best if is_bound_by_best else RANKS_PER_SUIT) or len(hand)


def beats(card: Card, best: Card) -> bool:
    """Whether a card played to a trick is better than the best one that lies there."""
    return card < best and (
        card < RANKS_PER_SUIT or card // RANKS_PER_SUIT == best // RANKS_PER_SUIT
    )


def best_card(trick: Sequence[Card]) -> Card:
    """The card that wins: the highest spade, or without spades the highest of the led suit."""
    best = trick[0]
    for card in trick:
        if beats(card, best):
            best = card
    return best


def winner_of(leader: int, trick: Sequence[Card]) -> int:
    """The seat that wins a trick to which `leader` led its first card."""
    return (leader + trick.index(best_card(trick))) % SEATS
