"""Where one scale of strengths does not tell the whole story: pairs and cycles.

A rating says what every bot should take from every other. The residual of a pair is what it took
beyond that, in points (1 a win, ½ a tie); in units of its error, the larger of the model's and that
of the deal sets, it is z. A pair beyond ±3 is a surprise: one bot suits or upsets the other.
Three bots each of which clearly beats the next are a cycle, which no scale can show.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.ratings.bradley_terry import win_chances
from arena.ratings.elo import EloFit
from arena.ratings.pairs import Floats, Pairs

SURPRISE = 3.0
_CLEARLY = 2.0


@dataclass(frozen=True, slots=True)
class Residual:
    """What `bot` took from `against` in so many pair games, and what the ratings expected."""

    bot: str
    against: str
    games: int
    observed: float
    expected: float
    z: float

    @property
    def is_surprise(self) -> bool:
        """True beyond three standard errors."""
        return abs(self.z) > SURPRISE


def residuals(fit: EloFit) -> tuple[Residual, ...]:
    """Every pair of bots that met, from the side of the one that did better than expected; the
    clearest first."""
    pairs = fit.pairs
    chance = win_chances(fit.strengths)
    z = _z(pairs, chance)
    found = [
        Residual(
            bot=pairs.bots[i],
            against=pairs.bots[j],
            games=int(pairs.played[i, j]),
            observed=float(pairs.won_halves[i, j] / 2),
            expected=float(pairs.played[i, j] * chance[i, j]),
            z=float(z[i, j]),
        )
        for i, j in np.argwhere(np.triu(pairs.played, 1))
    ]
    turned = [_other_side(pair) if pair.z < 0 else pair for pair in found]
    return tuple(sorted(turned, key=lambda pair: (-pair.z, pair.bot, pair.against)))


def _other_side(pair: Residual) -> Residual:
    return Residual(
        bot=pair.against,
        against=pair.bot,
        games=pair.games,
        observed=pair.games - pair.observed,
        expected=pair.games - pair.expected,
        z=-pair.z,
    )


def cycles(fit: EloFit) -> tuple[tuple[str, str, str], ...]:
    """Every three bots of which each took clearly more than half of the points from the next."""
    pairs = fit.pairs
    level = np.full(pairs.played.shape, 0.5)
    return tuple(_threes(pairs.bots, _z(pairs, level) > _CLEARLY))


def _threes(bots: tuple[str, ...], beats: NDArray[np.bool_]) -> Iterator[tuple[str, str, str]]:
    for first in range(len(bots)):
        second_third = beats & beats[first][:, None] & beats[:, first][None, :]
        second_third[:first], second_third[:, :first] = False, False
        for second, third in np.argwhere(second_third):
            yield bots[first], bots[second], bots[third]


def _z(pairs: Pairs, chance: Floats) -> Floats:
    """Points beyond `chance` in standard errors, square; 0 where two bots never met."""
    surplus = pairs.won_halves / 2 - pairs.played * chance
    in_set = pairs.half_points / 2 - pairs.games * chance[pairs.first, pairs.second]
    by_sets = np.zeros_like(surplus)
    np.add.at(by_sets, (pairs.first, pairs.second), in_set**2)
    sets = np.zeros_like(pairs.played)
    np.add.at(sets, (pairs.first, pairs.second), 1)
    by_sets = (by_sets + by_sets.T) * _few(sets + sets.T)
    variance = np.maximum(pairs.played * chance * (1 - chance), by_sets)
    return np.asarray(surplus / np.sqrt(np.where(variance > 0, variance, 1.0)), np.float64)


def _few(sets: NDArray[np.int64]) -> Floats:
    """The factor C / (C - 1); 1 for a single deal set, where the model's error has to do."""
    return np.asarray(sets / np.maximum(1, sets - 1), np.float64)
