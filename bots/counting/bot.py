"""Counts its winners to call, wins cheaply while it must, then ducks."""

import callbreak
from callbreak import rank, suit

ACE, KING, QUEEN = 12, 11, 10


def call(turn):
    wanted = round(spade_tricks(turn.hand) + sum(side_tricks(turn.hand, s) for s in "HDC"))
    return min(max(wanted, turn.legal[0]), turn.legal[-1])


def spade_tricks(hand):
    """High spades win by rank, the spades beyond the third by length."""
    ranks = [rank(card) for card in hand if suit(card) == "S"]
    sure = sum(r == ACE for r in ranks) + sum(0.8 for r in ranks if r == KING)
    return sure + (0.5 if QUEEN in ranks and len(ranks) > 2 else 0) + 0.8 * max(0, len(ranks) - 3)


def side_tricks(hand, side):
    """Aces, guarded kings, and ruffs where few cards of the suit are held."""
    ranks = [rank(card) for card in hand if suit(card) == side]
    spades = sum(suit(card) == "S" for card in hand)
    high = (0.9 if ACE in ranks else 0) + (0.6 if KING in ranks and len(ranks) > 1 else 0)
    ruffs = min(max(0, 2 - len(ranks)), max(0, spades - 1), 2)
    return high + 0.5 * ruffs - 0.1 * max(0, len(ranks) - 5)


def play(turn):
    allowed = turn.variant.get("overtricks_allowed")
    if turn.wanted() > 0 or allowed is None:
        return win_cheaply(turn)
    return duck(turn)


def win_cheaply(turn):
    """The cheapest card that is sure to win, or else the cheapest card."""
    unseen = turn.unseen()
    last = len(turn.trick) == 3
    sure = [c for c in turn.legal if turn.wins(c) and (last or is_high(c, unseen))]
    if not turn.trick:
        sure.sort(key=lambda c: (suit(c) == "S", rank(c)))
    return sure[0 if not turn.trick else -1] if sure else cheapest(turn)


def is_high(card, unseen):
    """True if nobody else holds a higher card of the suit."""
    return count_above(card, unseen) == 0


def cheapest(turn):
    """A low card, of a short side suit if there is a choice."""
    lengths = {s: sum(suit(card) == s for card in turn.hand) for s in "SHDC"}
    return min(turn.legal, key=lambda c: (suit(c) == "S", rank(c), lengths[suit(c)]))


def duck(turn):
    """The highest card that does not win; if all win, the one most likely to be beaten."""
    losing = [card for card in turn.legal if not turn.wins(card)]
    if losing:
        return max(losing, key=lambda c: (suit(c) == "S", rank(c)))
    if len(turn.trick) == 3:
        return max(turn.legal, key=rank)
    unseen = turn.unseen()
    return max(turn.legal, key=lambda c: (count_above(c, unseen), suit(c) != "S"))


def count_above(card, unseen):
    return sum(suit(other) == suit(card) and rank(other) > rank(card) for other in unseen)


callbreak.run(call, play, name="counting", version="1.0")
