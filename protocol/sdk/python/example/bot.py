"""Calls its aces and kings; wins with the highest card that can win, else plays the last."""

import callbreak


def call(turn):
    high = sum(card[0] in "AK" for card in turn.hand)
    return min(max(high, turn.legal[0]), turn.legal[-1])


def play(turn):
    winning = [card for card in turn.legal if turn.wins(card)]
    return winning[0] if winning else turn.legal[-1]


callbreak.run(call, play)
