"""The engine agrees with an oracle that is slow and obviously right.

The oracle is written from the words of the rules, on other data than the engine's: cards are
strings, legality is a filter, the winner a sort, points are fractions. It shares no code with it.
"""

import random
from fractions import Fraction

import pytest

from arena.games.callbreak.game import Callbreak

STRENGTH = "23456789TJQKA"
WIRE_SUITS = "SHDC"
GAME = Callbreak()


def strength(card):
    return STRENGTH.index(card[0])


def wire_order(cards):
    return sorted(cards, key=lambda card: (WIRE_SUITS.index(card[1]), -strength(card)))


def oracle_legal(hand, trick, rules):
    if not trick:
        return hand
    led = trick[0][1]
    following = [card for card in hand if card[1] == led]
    if following:
        ruffed = led != "S" and any(card[1] == "S" for card in trick)
        best = max(strength(card) for card in trick if card[1] == led)
        heading = [card for card in following if strength(card) > best]
        return heading if rules["must_head"] and not ruffed and heading else following
    spades = [card for card in hand if card[1] == "S"]
    highest = max((strength(card) for card in trick if card[1] == "S"), default=-1)
    over = [card for card in spades if strength(card) > highest]
    wanted = {"overruff": over, "ruff": spades, "free": []}[rules["void_duty"]]
    return wanted or hand


def oracle_winner(leader, trick):
    led = trick[0][1]
    seats = [(leader + offset) % 4 for offset in range(4)]
    ranked = sorted(
        zip(trick, seats, strict=True),
        key=lambda played: (played[0][1] == "S", played[0][1] == led, strength(played[0])),
    )
    return ranked[-1][1]


def oracle_points(call, won, rules):
    most = 13 if rules["overtricks_allowed"] is None else call + rules["overtricks_allowed"]
    if not call <= won <= most:
        return Fraction(-call)
    if rules["bonus_call"] is not None and call >= rules["bonus_call"]:
        return Fraction(rules["bonus_points"])
    return call + (won - call) * Fraction(rules["overtrick_tenths"], 10)


class OracleDeal:
    """One deal: whose turn it is, what may be done, and what came of it."""

    def __init__(self, dealer, hands, rules):
        self.rules = rules
        self.hands = [list(hand) for hand in hands]
        self.calls = {}
        self.dealer = dealer
        self.seat = (dealer + 1) % 4
        self.leader, self.trick = self.seat, []
        self.tricks = []

    def legal(self):
        if len(self.calls) < 4:
            return list(range(self.rules["min_call"], self.rules["max_call"] + 1))
        return wire_order(oracle_legal(self.hands[self.seat], self.trick, self.rules))

    def act(self, action):
        if len(self.calls) < 4:
            self.calls[self.seat] = action
            self.seat = (self.seat + 1) % 4
            return
        self.hands[self.seat].remove(action)
        self.trick.append(action)
        self.seat = (self.seat + 1) % 4
        if len(self.trick) == 4:
            self.seat = oracle_winner(self.leader, self.trick)
            trick = {"leader": self.leader, "cards": self.trick, "winner": self.seat}
            self.tricks.append(trick)
            self.leader, self.trick = self.seat, []

    def is_over(self):
        return len(self.tricks) == 13

    def outcome(self):
        won = [sum(trick["winner"] == seat for trick in self.tricks) for seat in range(4)]
        calls = [self.calls[seat] for seat in range(4)]
        return {
            "calls": calls,
            "tricks": self.tricks,
            "won": won,
            "points": [
                oracle_points(call, tricks, self.rules)
                for call, tricks in zip(calls, won, strict=True)
            ],
        }


def random_rules(rng):
    """Parameters of some legal variant, every value of every parameter among them."""
    low = rng.randint(1, 13)
    high = rng.randint(low, 13)
    bonus = rng.choice([None, rng.randint(low, high)])
    return {
        "deals": rng.randint(1, 6),
        "min_call": low,
        "max_call": high,
        "overtricks_allowed": rng.choice([None, *range(13)]),
        "overtrick_tenths": rng.randint(0, 10),
        "bonus_call": bonus,
        "bonus_points": rng.randint(1, 100),
        "must_head": rng.random() < 0.5,
        "void_duty": rng.choice(["overruff", "ruff", "free"]),
        "redeal": rng.choice(["none", "no-spade", "no-face-card"]),
    }


def rules_for(name, rng):
    return GAME.variant(name, random_rules(rng) if name == "custom" else None)


def compare_match(seed, rules, rng):
    """Plays a match at random on both; returns how many decisions, and the seats that dealt."""
    state, decisions, dealers = GAME.new_match(seed, rules), 0, []
    totals = [Fraction(0)] * 4
    for number in range(1, rules["deals"] + 1):
        dealer = state.observation(0)["dealer"]
        hands = [state.observation(seat)["hand"] for seat in range(4)]
        oracle = OracleDeal(dealer, hands, rules)
        dealers.append(dealer)
        while not oracle.is_over():
            legal = state.legal_actions()
            assert state.position().deal == number
            assert state.current_player() == oracle.seat
            assert [state.encode(action) for action in legal] == oracle.legal()
            action = rng.choice(legal)
            oracle.act(state.encode(action))
            state.apply(action)
            decisions += 1
        outcome = oracle.outcome()
        totals = [a + b for a, b in zip(totals, outcome["points"], strict=True)]
        (event,) = state.events()
        for key in ("calls", "tricks", "won"):
            assert event[key] == outcome[key]
        for key, wanted in (("points", outcome["points"]), ("scores", totals)):
            assert [round(10 * score) for score in event[key]] == [10 * score for score in wanted]
    assert state.is_terminal()
    assert list(state.returns()) == [10 * total for total in totals]
    return decisions, dealers


def compare_decisions(name, decisions):
    rng = random.Random(f"oracle {name}")
    done, first_leaders = 0, set()
    for match in range(decisions):
        played, dealers = compare_match(f"{name} {match}", rules_for(name, rng), rng)
        first_leaders.update((dealer + 1) % 4 for dealer in dealers)
        done += played
        if done >= decisions:
            break
    assert done >= decisions
    assert first_leaders == {0, 1, 2, 3}


VARIANTS = ["master", "bhoos", "classic", "custom"]


@pytest.mark.parametrize("decisions", [40_000, pytest.param(250_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", VARIANTS)
def test_engine_and_oracle_agree(name, decisions):
    compare_decisions(name, decisions)
