"""Registers Callbreak."""

from __future__ import annotations

from arena import hookimpl
from arena.games.callbreak.game import Callbreak


@hookimpl
def arena_games() -> list[Callbreak]:
    """The one game that comes with the harness."""
    return [Callbreak()]
