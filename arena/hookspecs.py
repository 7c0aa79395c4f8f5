"""Every hook of the harness, typed and documented once. Plugins implement any of them.

A plugin is a module (or object) whose functions carry `arena.hookimpl` and are named as below; it
is found through the entry point group `arena`. The built-in games, sandboxes, schedules, ratings,
executors and report formats come in by the same door (see plugins.py for their list).

Every hook returns a list, so that one plugin can bring several things. Names must be unique within
their kind; the manager refuses a second thing of the same name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pluggy

from arena.games.api import Game
from arena.ratings.api import Rating
from arena.sandbox.api import Sandbox
from arena.schedule.api import Schedule

hookspec = pluggy.HookspecMarker("arena")


@hookspec
def arena_games() -> Sequence[Game]:  # type: ignore[empty-body]
    """Games that can be refereed."""


@hookspec
def arena_sandboxes() -> Sequence[Sandbox]:  # type: ignore[empty-body]
    """Sandbox providers, the most wanted first: `auto` takes the first that satisfies the run."""


@hookspec
def arena_schedules() -> Sequence[Schedule]:  # type: ignore[empty-body]
    """Tournament formats."""


@hookspec
def arena_ratings() -> Sequence[Rating]:  # type: ignore[empty-body]
    """Rating systems."""


@hookspec
def arena_executors() -> Sequence[Any]:  # type: ignore[empty-body]
    """Ways to play many matches (arena.tournament.executors.Executor)."""


@hookspec
def arena_report_formats() -> Sequence[Any]:  # type: ignore[empty-body]
    """Leaderboard formats (arena.report.api.ReportFormat)."""


@hookspec
def arena_views() -> Sequence[Any]:  # type: ignore[empty-body]
    """How games are shown in a terminal (arena.report.view.GameView); without one, plainly."""


@hookspec
def arena_adapters() -> Sequence[Any]:  # type: ignore[empty-body]
    """Bridges for bots of another interface (arena.bots.adapter.Adapter)."""


@hookspec
def arena_commands() -> Sequence[Any]:  # type: ignore[empty-body]
    """Extra commands of `arena`: Typer apps, each with a name of its own."""
