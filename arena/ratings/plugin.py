"""The built-in rating systems."""

from __future__ import annotations

from collections.abc import Sequence

from arena import hookimpl
from arena.ratings.api import Rating
from arena.ratings.elo import BatchElo


@hookimpl
def arena_ratings() -> Sequence[Rating]:
    """Batch Elo, the default."""
    return [BatchElo()]
