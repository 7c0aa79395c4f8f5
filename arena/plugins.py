"""The plugin manager: built-ins by dotted name, then entry points, then a check that nothing hangs.

Built-ins are named as strings and imported here one by one, so that this file depends on none of
them and each of them can be read alone.
"""

from __future__ import annotations

import importlib

import pluggy

from arena import hookspecs
from arena.errors import PluginError

ENTRY_POINT_GROUP = "arena"

BUILTIN = (
    "arena.games.callbreak.plugin",
    "arena.sandbox.plugin",
    "arena.schedule.plugin",
    "arena.ratings.plugin",
    "arena.report.plugin",
)


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
    except Exception as error:
        raise PluginError(
            f"an installed plugin cannot be loaded: {error}",
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
