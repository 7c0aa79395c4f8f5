"""Fixtures of the schedule tests."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

import pytest


class Balance:
    """Who sat where, met whom and had whom to the right: counted from the seatings alone."""

    def __init__(self, bots, seats=4):
        self.bots = bots
        self.seats = seats
        self.seat = Counter()
        self.pair = Counter()
        self.neighbour = Counter()

    def add(self, seats):
        for seat, bot in enumerate(seats):
            self.seat[bot, seat] += 1
            right = seats[(seat + 1) % self.seats]
            if right != bot:
                self.neighbour[bot, right] += 1
        for a, b in combinations(seats, 2):
            if a != b:
                self.pair[min(a, b), max(a, b)] += 1

    def seat_spread(self):
        return spread(
            self.seat[bot, seat] for bot in range(self.bots) for seat in range(self.seats)
        )

    def pair_spread(self):
        return spread(self.pair[pair] for pair in combinations(range(self.bots), 2))

    def neighbour_spread(self):
        return spread(self.neighbour[pair] for pair in permutations_of_two(self.bots))


def permutations_of_two(bots):
    return ((a, b) for a in range(bots) for b in range(bots) if a != b)


def spread(counts: Iterable[int]) -> int:
    seen = set(counts)
    return max(seen) - min(seen)


@pytest.fixture
def make_balance():
    return Balance
