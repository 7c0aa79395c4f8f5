"""Registers the view of Callbreak."""

from __future__ import annotations

from collections.abc import Sequence

from arena import hookimpl
from arena.report.callbreak.view import CallbreakView
from arena.report.view import GameView


@hookimpl
def arena_views() -> Sequence[GameView]:
    """The one view that comes with the harness."""
    return [CallbreakView()]
