"""What the results rule out, without a prior: bars and LOS far from the mean.

Of a bot that won everything the results say that it is strong, and not how strong: every strength
beyond some figure explains them. An error bar of the usual kind, a figure and so much to each side,
cannot say that. So a bar here is the range of strengths that the results do not rule out, and may
have no end.

A value of a contrast Σ cθ is ruled out if the best strengths that keep to it explain the results
much worse than the best strengths of all. "Much" is measured in two ways: by the fall of the log
likelihood (twice of it, Wilks 1938), and by the slope that is left (Rao's score, which for a single
chance is Wilson's interval). They agree where there is much data. With hardly a loss or a win the
first can be too strict and the second too, on different sides; a value counts as ruled out if both
say so.

Which ends are open does not depend on figures but on who took points from whom. A bot can be
arbitrarily stronger than those of whom nobody took points from it, directly or through others.
Bots that took points from each other in this sense belong together, and all differences between
them are finite (Ford 1957). The largest such set is the *core*, against whose mean every bar is
measured; without any such set, it is the whole group.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.ratings.bradley_terry import log_likelihood
from arena.ratings.pairs import Floats, Ints

Bools = NDArray[np.bool_]

_TINY = 1e-4
"""A ridge that keeps strengths finite which the results leave open; too small to matter."""

_STEPS = 60
_LONGEST_STEP = 1.5
_LAST_STEP = 1e-5
_SEARCHES = 60
_CLOSE = 1e-3
_DOUBLINGS = 12


def reaches(won: Floats) -> Bools:
    """Whether row took points from column, directly or through others; every bot reaches itself."""
    found = (won > 0) | np.eye(len(won), dtype=np.bool_)
    for _ in range(max(1, len(won).bit_length())):
        found = (found.astype(np.float64) @ found.astype(np.float64)) > 0
    return found


def core_of(reach: Bools, played: Ints) -> Bools:
    """The largest set of bots that reach each other; of equal ones that which played most. All
    of the bots if no two reach each other."""
    mutual = reach & reach.T
    sizes = mutual.sum(axis=1)
    if sizes.max(initial=0) < 2:
        return np.ones(len(reach), np.bool_)
    games = mutual @ played.sum(axis=1)
    best = max(range(len(reach)), key=lambda bot: (sizes[bot], games[bot], -bot))
    return np.asarray(mutual[best], np.bool_)


def open_ends(reach: Bools, core: Bools) -> tuple[Bools, Bools]:
    """By bot, whether its strength against the mean of the core has no low end, and no high end."""
    no_low = np.logical_not(reach[:, core].all(axis=1))
    no_high = np.logical_not(reach[core].all(axis=0))
    return no_low, no_high


@dataclass(frozen=True, slots=True)
class Likelihood:
    """The results of one group, and the strengths that explain them best of all."""

    won: Floats
    played: Floats
    best: Floats
    height: float

    def against(self, contrasts: Floats, values: Floats) -> Floats:
        """How much the results speak against Σ cθ = value, one contrast a row: about the square of
        a normal deviate where it is true."""
        strengths = self._held(contrasts, values)
        fall = np.array([2 * (self.height - self._height(each)) for each in strengths])
        slopes, information = self._derivatives(strengths)
        turned = np.linalg.solve(information, contrasts[:, :, None])[:, :, 0]
        score = (slopes * turned).sum(axis=1) ** 2 / (contrasts * turned).sum(axis=1)
        return np.asarray(np.maximum(np.minimum(fall, score), 0.0), np.float64)

    def _held(self, contrasts: Floats, values: Floats) -> Floats:
        """The best strengths that keep Σ cθ at the value: Newton's method on what is left free."""
        strengths = np.repeat(self.best[None, :], len(contrasts), axis=0)
        strengths += contrasts * (
            (values - contrasts @ self.best) / (contrasts**2).sum(axis=1)
        ).reshape(-1, 1)
        for _ in range(_STEPS):
            slopes, information = self._derivatives(strengths)
            both = np.linalg.solve(information, np.stack([slopes, contrasts], axis=2))
            free, along = both[:, :, 0], both[:, :, 1]
            share = (contrasts * free).sum(axis=1) / (contrasts * along).sum(axis=1)
            step = free - along * share[:, None]
            length = np.abs(step).max(axis=1, initial=0.0)
            strengths = (
                strengths + step * (_LONGEST_STEP / np.maximum(length, _LONGEST_STEP))[:, None]
            )
            if length.max(initial=0.0) < _LAST_STEP:
                break
        return strengths

    def _derivatives(self, strengths: Floats) -> tuple[Floats, Floats]:
        chance = 1 / (1 + np.exp(strengths[:, None, :] - strengths[:, :, None]))
        slopes = (self.won - self.played * chance).sum(axis=2) - _TINY * strengths
        weight = self.played * chance * (1 - chance)
        information = -weight
        places = np.arange(len(self.best))
        information[:, places, places] += weight.sum(axis=2) + _TINY
        return slopes, information

    def _height(self, strengths: Floats) -> float:
        return log_likelihood(self.won, strengths) - _TINY / 2 * float(strengths @ strengths)


def likelihood_of(won: Floats, played: Ints, start: Floats) -> Likelihood:
    """The likelihood of a group, its best strengths sought from `start`."""
    unknown = Likelihood(won, played.astype(np.float64), start, 0.0)
    best = start.copy()
    for _ in range(_STEPS):
        slopes, information = unknown._derivatives(best[None, :])
        step = np.linalg.solve(information[0], slopes[0])
        length = float(np.abs(step).max(initial=0.0))
        best = best + step * min(1.0, _LONGEST_STEP / max(length, _LONGEST_STEP))
        if length < _LAST_STEP:
            break
    return Likelihood(won, unknown.played, best, unknown._height(best))


def ends(
    of: Likelihood, contrasts: Floats, start: Floats, first_step: Floats, limits: Floats
) -> Floats:
    """Where each contrast begins to be ruled out, going from `start` by `first_step` at first.

    The root of what speaks against a value grows almost evenly with the distance, so a secant
    between a value that is not ruled out and one that is comes close in a few steps.
    """
    target = np.sqrt(limits)
    inside, inside_root = start.copy(), np.sqrt(of.against(contrasts, start))
    outside, outside_root = _outside(of, contrasts, start, first_step, target)
    for turn in range(_SEARCHES):
        width = outside - inside
        if np.abs(width).max(initial=0.0) < _CLOSE:
            break
        share = (target - inside_root) / np.maximum(outside_root - inside_root, 1e-12)
        share = np.clip(share, 0.02, 0.98) if turn % 3 < 2 else np.full(len(share), 0.5)
        tried = inside + share * width
        root = np.sqrt(of.against(contrasts, tried))
        out = root >= target
        outside, outside_root = np.where(out, tried, outside), np.where(out, root, outside_root)
        inside, inside_root = np.where(out, inside, tried), np.where(out, inside_root, root)
    return np.asarray((inside + outside) / 2, np.float64)


def _outside(
    of: Likelihood, contrasts: Floats, start: Floats, first_step: Floats, target: Floats
) -> tuple[Floats, Floats]:
    """A value of each contrast that is ruled out, and the root of what speaks against it."""
    step = first_step.copy()
    root = np.sqrt(of.against(contrasts, start + step))
    for _ in range(_DOUBLINGS):
        near = root < target
        if not near.any():
            break
        step = np.where(near, 2 * step, step)
        root = np.sqrt(of.against(contrasts, start + step))
    return start + step, root
