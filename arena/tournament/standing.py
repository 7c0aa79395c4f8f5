"""The standing while a run goes on: Elo without error bars, from sums that do not grow.

A board reads every record; a standing keeps two squares of counts, bot against bot, so that a run
of a million matches needs no more memory than one of a thousand.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np

from arena.ratings.bradley_terry import fit
from arena.ratings.elo import ELO, MEAN
from arena.ratings.pairs import Pairs

MOST_BOTS = 2_000
"""Squares of so many take 64 MB; of more bots there is no standing, only the board at the end."""


class Standing:
    """Counts of pair games and of half points won, by the bots' indices."""

    def __init__(self, bots: Sequence[str]) -> None:
        self._bots = tuple(bots) if len(bots) <= MOST_BOTS else ()
        bots = self._bots
        self._won_halves = np.zeros((len(bots), len(bots)), np.int64)
        self._played = np.zeros_like(self._won_halves)

    def add(self, bots: Sequence[int], ranks: Sequence[int]) -> None:
        """Takes a match into account: bots as indices, ranks (1 is best), by seat."""
        for one, other in permutations(range(len(bots) if self._bots else 0), 2):
            if bots[one] != bots[other]:
                won = 1 + (ranks[one] < ranks[other]) - (ranks[one] > ranks[other])
                self._won_halves[bots[one], bots[other]] += won
                self._played[bots[one], bots[other]] += 1

    def top(self, count: int) -> list[tuple[str, float]]:
        """The best bots with their Elo, best first; empty before the first match."""
        if not self._played.any():
            return []
        none = np.zeros(0, np.int64)
        pairs = Pairs(self._bots, none, none, none, none, none, self._won_halves, self._played)
        elo = MEAN + ELO * fit(pairs)
        best = np.argsort(-elo, kind="stable")[:count]
        return [(self._bots[bot], float(elo[bot])) for bot in best]
