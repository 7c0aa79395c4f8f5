"""Replays a record knowing only the published rules: no line of this uses the harness.

Usage: python outside.py < record.jsonl. Prints one line of totals a record; fails loudly where the
record contradicts the rules of variant master.
"""

import json
import sys

ORDER = "23456789TJQKA"


def winner(leader, cards):
    led = cards[0][1]
    spades = [card for card in cards if card[1] == "S"]
    among = spades or [card for card in cards if card[1] == led]
    best = max(among, key=lambda card: ORDER.index(card[0]))
    return (leader + cards.index(best)) % 4


def allowed(hand, cards):
    if not cards:
        return set(hand)
    follow = {card for card in hand if card[1] == cards[0][1]}
    if follow:
        return follow
    played = [ORDER.index(card[0]) for card in cards if card[1] == "S"]
    over = {c for c in hand if c[1] == "S" and ORDER.index(c[0]) > max(played, default=-1)}
    return over or set(hand)


def points(call, won):
    made = won in (call, call + 1)
    if not made:
        return -call
    return 13 if call >= 8 else call


def replay(record):
    totals = [0, 0, 0, 0]
    dealer = None
    for number, deal in enumerate(record["deals"], 1):
        assert deal["deal"] == number
        assert dealer is None or deal["dealer"] == (dealer + 1) % 4
        dealer = deal["dealer"]
        hands = [set(hand) for hand in deal["hands"]]
        assert [len(hand) for hand in hands] == [13] * 4
        assert len(set.union(*hands)) == 52
        assert all(2 <= call <= 12 for call in deal["calls"])
        won = [0, 0, 0, 0]
        leader = (dealer + 1) % 4
        for trick in deal["tricks"]:
            assert trick["leader"] == leader
            for turn, card in enumerate(trick["cards"]):
                seat = (leader + turn) % 4
                assert card in allowed(hands[seat], trick["cards"][:turn]), (number, card)
                hands[seat].remove(card)
            leader = winner(leader, trick["cards"])
            assert trick["winner"] == leader
            won[leader] += 1
        assert not any(hands)
        assert deal["won"] == won
        earned = [points(call, tricks) for call, tricks in zip(deal["calls"], won, strict=True)]
        assert deal["points"] == earned
        totals = [total + plus for total, plus in zip(totals, earned, strict=True)]
        assert deal["scores"] == totals
    assert record["scores"] == totals
    assert record["ranks"] == [1 + sum(other > total for other in totals) for total in totals]
    return totals


if __name__ == "__main__":
    for line in sys.stdin:
        print(replay(json.loads(line)))
