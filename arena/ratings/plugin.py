"""The built-in rating systems."""

from __future__ import annotations

from collections.abc import Sequence

from arena import hookimpl
from arena.ratings.api import Rating
from arena.ratings.elo import BatchElo
from arena.ratings.openskill_system import OpenSkill
from arena.ratings.points import PointsElo
from arena.ratings.sequential import SequentialElo


@hookimpl
def arena_ratings() -> Sequence[Rating]:
    """Batch Elo, the default, Elo from points, and two that depend on the order of the matches."""
    return [BatchElo(), PointsElo(), SequentialElo(), OpenSkill()]
