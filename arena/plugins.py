"""The plugin manager: built-ins by dotted name, then entry points, then a check of the hooks.

Built-ins are named as strings and imported one by one, so that this file depends on none of them
and each of them can be read alone. What plugins bring is given by name here; two things of one kind
and name are an error.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from typing import Any

import pluggy

from arena import hookspecs
from arena.errors import PluginError
from arena.games.api import Game
from arena.ratings.api import Rating
from arena.sandbox.api import Sandbox
from arena.schedule.api import Schedule

ENTRY_POINT_GROUP = "arena"

BUILTIN = (
    "arena.games.callbreak.plugin",
    "arena.sandbox.plugin",
    "arena.schedule.plugin",
    "arena.ratings.plugin",
    "arena.report.plugin",
    "arena.tournament.plugin",
    "arena.adapters.plugin",
)
"""Dotted names of the built-in plugins, in the order of registration."""


def build_manager(*, entry_points: bool = True) -> pluggy.PluginManager:
    """A manager with every built-in and installed plugin registered and checked.

    Raises PluginError if a plugin cannot be imported or implements a hook that does not exist.
    """
    manager = pluggy.PluginManager("arena")
    manager.add_hookspecs(hookspecs)
    for name in BUILTIN:
        manager.register(importlib.import_module(name), name=name)
    if entry_points:
        _load_entry_points(manager)
    _check(manager)
    return manager


def _load_entry_points(manager: pluggy.PluginManager) -> None:
    try:
        manager.load_setuptools_entrypoints(ENTRY_POINT_GROUP)
    except Exception as error:  # whatever a stranger's package raises on import
        raise PluginError(
            f"an installed plugin cannot be loaded: {error!r}",
            where=f"entry point group {ENTRY_POINT_GROUP!r}",
            mend="mend or uninstall the package that brings it",
        ) from error


def _check(manager: pluggy.PluginManager) -> None:
    try:
        manager.check_pending()
    except pluggy.PluginValidationError as error:
        raise PluginError(
            f"a plugin implements an unknown hook: {error}",
            mend="`arena plugins --hooks` lists the hooks",
        ) from error


def games(manager: pluggy.PluginManager) -> dict[str, Game]:
    """Every game, by name."""
    return _by_name(manager.hook.arena_games(), "game")


def sandboxes(manager: pluggy.PluginManager) -> dict[str, Sandbox]:
    """Every sandbox provider, by name, the most wanted first."""
    return _by_name(manager.hook.arena_sandboxes(), "sandbox")


def schedules(manager: pluggy.PluginManager) -> dict[str, Schedule]:
    """Every tournament format, by name."""
    return _by_name(manager.hook.arena_schedules(), "schedule")


def ratings(manager: pluggy.PluginManager) -> dict[str, Rating]:
    """Every rating system, by name."""
    return _by_name(manager.hook.arena_ratings(), "rating")


def executors(manager: pluggy.PluginManager) -> dict[str, Any]:
    """Every executor, by name."""
    return _by_name(manager.hook.arena_executors(), "executor")


def report_formats(manager: pluggy.PluginManager) -> dict[str, Any]:
    """Every leaderboard format, by name."""
    return _by_name(manager.hook.arena_report_formats(), "report format")


def adapters(manager: pluggy.PluginManager) -> dict[str, Any]:
    """Every bridge for bots of another interface, by name."""
    return _by_name(manager.hook.arena_adapters(), "adapter")


def extra_commands(manager: pluggy.PluginManager) -> list[Any]:
    """The Typer apps that plugins add to the command line."""
    return [app for apps in manager.hook.arena_commands() for app in apps]


def _by_name(found: Iterable[Sequence[Any]], kind: str) -> dict[str, Any]:
    # pluggy calls the last registered first; people expect built-ins in their own order.
    named: dict[str, Any] = {}
    for thing in (thing for things in reversed(list(found)) for thing in things):
        if thing.name in named:
            raise PluginError(
                f"two plugins bring a {kind} named {thing.name!r}",
                mend="uninstall one of them; `arena plugins` lists what is loaded",
            )
        named[thing.name] = thing
    return named
