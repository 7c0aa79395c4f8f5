"""A small player for the interface of the 2022 tournament, strict about what it is asked."""

import itertools

SUITS = "SHCD"
RANKS = "1KQJT98765432"


def place(card):
    return SUITS.index(card[1]), RANKS.index(card[0])


def check(body):
    """Every promise of the interface that bots rely on, asserted for each request."""
    cards, ids, players = body["cards"], body["playerIds"], body["context"]["players"]
    assert cards == sorted(cards, key=place), f"unsorted: {cards}"
    assert len(set(ids)) == 4
    assert list(players) == ids
    assert body["playerId"] in ids
    assert isinstance(body["timeBudget"], int)
    assert body["timeBudget"] > 0
    assert body["context"]["round"] >= 1
    assert all(set(player) == {"totalPoints", "bid", "won"} for player in players.values())
    history = body.get("history", [])
    won = [sum(end == seat for _, _, end in history) for seat in range(4)]
    assert [player["won"] for player in players.values()] == won
    assert len(cards) == 13 - len(history)
    for before, after in itertools.pairwise(history):
        assert after[0] == before[2]
    if history and "played" in body:
        starter = (ids.index(body["playerId"]) - len(body["played"])) % 4
        assert starter == history[-1][2]


def get_bid(body):
    check(body)
    assert len(body["cards"]) == 13
    assert "played" not in body
    assert body["context"]["players"][body["playerId"]]["bid"] == 0
    return max(1, min(8, sum(card[0] in "1K" for card in body["cards"])))


def get_card(body):
    check(body)
    assert len(body["cards"]) > 1, "nobody is asked for the last card"
    assert all(player["bid"] > 0 for player in body["context"]["players"].values())
    return legal(body["cards"], body["played"])[0]


def legal(cards, played):
    if not played:
        return cards
    led = played[0][1]
    following = [card for card in cards if card[1] == led]
    spades = [card for card in played if card[1] == "S"]
    if following:
        beating = [
            card
            for card in following
            if place(card) < min(p for p in map(place, played) if SUITS[p[0]] == led)
        ]
        return beating if beating and (led == "S" or not spades) else following
    ruffs = [
        card for card in cards if card[1] == "S" and all(place(card) < place(s) for s in spades)
    ]
    return ruffs or cards
