"""Which cards may be played to a trick, and who wins it. The only source of legality.

Cards are numbered so that every duty of the rules is one slice of the sorted hand (see cards.py):
the cards of a suit, the cards of the led suit above the best one, the spades above the best spade.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from arena.games.callbreak.cards import RANKS_PER_SUIT, Card, Hand
from arena.games.callbreak.variants import Variant, VoidDuty

SEATS = 4


def legal_cards(hand: Hand, trick: Sequence[Card], rules: Variant) -> Hand:
    """The cards of a hand that may be played to a trick under way, in wire order.

    `trick` has the 0 to 3 cards that lie on the table, in playing order.
    """
    if not trick:
        return hand
    first = trick[0] - trick[0] % RANKS_PER_SUIT
    start = bisect_left(hand, first)
    stop = bisect_left(hand, first + RANKS_PER_SUIT, start)
    if start == stop:
        return _void(hand, trick, rules)
    if rules.must_head:
        stop = _heading(hand, trick, start, stop)
    return hand[start:stop]


def _heading(hand: Hand, trick: Sequence[Card], start: int, stop: int) -> int:
    """Where the cards of the led suit end that a follower who must head may play."""
    best = best_card(trick)
    if best < RANKS_PER_SUIT <= trick[0]:
        return stop  # the trick is ruffed: nothing to head
    return bisect_left(hand, best, start, stop) if hand[start] < best else stop


def _void(hand: Hand, trick: Sequence[Card], rules: Variant) -> Hand:
    """What a player who cannot follow may play."""
    if rules.void_duty is VoidDuty.FREE:
        return hand
    above = min(trick) if rules.void_duty is VoidDuty.OVERRUFF else RANKS_PER_SUIT
    spades = bisect_left(hand, min(above, RANKS_PER_SUIT))
    return hand[:spades] or hand


def best_card(trick: Sequence[Card]) -> Card:
    """The card that wins: the highest spade, or without spades the highest of the led suit."""
    best = min(trick)
    if best < RANKS_PER_SUIT:
        return best
    best = trick[0]
    first = best - best % RANKS_PER_SUIT
    for card in trick:
        if first <= card < best:
            best = card
    return best


def winner_of(leader: int, trick: Sequence[Card]) -> int:
    """The seat that wins a trick to which `leader` led its first card."""
    return (leader + trick.index(best_card(trick))) % SEATS
