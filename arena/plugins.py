"""The plugin manager: built-ins by dotted name, then entry points and files, then a check.

Built-ins are named as strings and imported one by one, so that this file depends on none of them
and each of them can be read alone. Plugins bring things by name; two things of one kind and name
are an error.

Theory of operation. A plugin is a stranger's code, and every mistake it can make before a match is
played ends in one `PluginError` that names the package, the plugin and the member: it raises on
import, in a hook, or gives something that lacks what its kind needs (`KINDS`). A command that
explains plugins asks for a `tolerant` manager, which leaves a broken plugin out and keeps the
error in `broken`. An organiser turns a plugin off by `--without-plugin NAME` and adds one that is
not installed by `--plugin FILE`; both are kept in the environment, so that worker processes, which
build a manager of their own, load the same plugins.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import pluggy

from arena import hookspecs
from arena.errors import ArenaError, PluginError
from arena.games.api import Game
from arena.guard import Origin, guarded, shown
from arena.kinds import KINDS, Kind
from arena.ratings.api import Rating
from arena.sandbox.api import Sandbox
from arena.schedule.api import Schedule

ENTRY_POINT_GROUP = "arena"

WITHOUT_VARIABLE = "ARENA_WITHOUT_PLUGINS"
"""Names of plugins that are not loaded, separated by commas."""

FILES_VARIABLE = "ARENA_PLUGINS"
"""Files of plugins that are loaded without being installed, separated as PATH is."""

BUILTIN = (
    "arena.games.callbreak.plugin",
    "arena.sandbox.plugin",
    "arena.schedule.plugin",
    "arena.ratings.plugin",
    "arena.report.plugin",
    "arena.report.callbreak.plugin",
    "arena.tournament.plugin",
    "arena.adapters.plugin",
)
"""Dotted names of the built-in plugins, in the order of registration."""

TO_PLAY = ("arena.games.callbreak.plugin", "arena.sandbox.plugin")
"""Those that a process needs which only plays matches: importing all takes three times as long."""

TO_BUILD_AND_PLAY = (*TO_PLAY, "arena.adapters.plugin")


@dataclass(frozen=True, slots=True)
class Broken:
    """A plugin that a tolerant manager left out, and why."""

    plugin: str
    package: str
    error: PluginError


class Manager(pluggy.PluginManager):
    """Pluggy's manager, which also knows the package of each plugin, and the broken ones."""

    def __init__(self, *, tolerant: bool = False) -> None:
        super().__init__("arena")
        self.tolerant = tolerant
        self.broken: list[Broken] = []
        self.packages: dict[str, str] = {}

    def origin(self, plugin: str) -> Origin:
        """The plugin as messages name it: with the package that brings it, if it is a package."""
        return Origin(plugin, self.packages.get(plugin, ""))

    def complain(self, plugin: str, what: str, *, cause: BaseException | None = None) -> None:
        """Notes a broken plugin if the manager is tolerant. Raises PluginError otherwise."""
        origin = self.origin(plugin)
        error = PluginError(what, where=str(origin), mend=origin.hint)
        if not self.tolerant:
            raise error from cause
        self.broken.append(Broken(plugin, self.packages.get(plugin, ""), error))

    def brought(self, kind: Kind) -> Iterator[tuple[str, Any]]:
        """Every sound thing of a kind, with the plugin that brings it, built-ins first."""
        for implementation in getattr(self.hook, kind.hook).get_hookimpls():
            plugin = implementation.plugin_name
            for thing in self._things(kind, plugin, implementation.function):
                lack = _lack(kind, thing)
                if lack:
                    self.complain(plugin, lack)
                elif plugin in BUILTIN or kind.name == "command":
                    yield plugin, thing
                else:
                    yield plugin, guarded(thing, kind.name, self.origin(plugin), kind.promises)

    def _things(self, kind: Kind, plugin: str, hook: Callable[[], object]) -> list[Any]:
        """What one plugin's hook gives; nothing if the hook does not work."""
        try:
            things = hook()
            if isinstance(things, Iterable) and not isinstance(things, str | bytes):
                return list(things)
        except ArenaError:
            raise
        except (Exception, SystemExit) as error:  # whatever a stranger's code raises
            self.complain(plugin, f"{kind.hook} raises {shown(error)}", cause=error)
            return []
        self.complain(plugin, f"{kind.hook} gives {type(things).__name__}, not a list")
        return []


def build_manager(
    *, builtin: Sequence[str] = BUILTIN, entry_points: bool = True, tolerant: bool = False
) -> Manager:
    """A manager with these built-ins and every installed plugin registered and checked.

    Raises PluginError if a plugin cannot be imported or implements a hook that does not exist;
    `tolerant` leaves such a plugin out instead.
    """
    manager = Manager(tolerant=tolerant)
    manager.add_hookspecs(hookspecs)
    for name in builtin:
        manager.register(importlib.import_module(name), name=name)
    if entry_points:
        without = _listed(WITHOUT_VARIABLE, ",")
        _load_entry_points(manager, without)
        for file in _listed(FILES_VARIABLE, os.pathsep):
            _load_file(manager, Path(file))
    return manager


def _listed(variable: str, separator: str) -> list[str]:
    return [word for word in os.environ.get(variable, "").split(separator) if word]


def _load_entry_points(manager: Manager, without: Sequence[str]) -> None:
    for point in metadata.entry_points(group=ENTRY_POINT_GROUP):
        if point.name in without:
            continue
        package = f"{point.dist.name} {point.dist.version}" if point.dist else ""
        if point.name in manager.packages:
            first = manager.packages[point.name]
            if first != package:  # one package can be found twice, by two entries of sys.path
                manager.complain(
                    point.name, f"{package} brings another plugin of that name: rename one of them"
                )
            continue
        manager.packages[point.name] = package
        _load(manager, point.name, point.load)


def _load_file(manager: Manager, path: Path) -> None:
    """A plugin that is one Python file, under the name of the file."""
    name = path.stem
    manager.packages.setdefault(name, str(path))
    _load(manager, name, lambda: _module(path))


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"arena_plugin_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError("a plugin's file ends with .py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _load(manager: Manager, name: str, load: Callable[[], object]) -> None:
    try:
        plugin = load()
    except (Exception, SystemExit) as error:  # whatever a stranger's package does on import
        manager.complain(name, f"cannot be loaded: {shown(error)}", cause=error)
        return
    try:
        manager.register(plugin, name=name)
        _check_hooks(manager, plugin)
    except (pluggy.PluginValidationError, ValueError) as error:
        manager.unregister(plugin)
        manager.complain(
            name, f"{shown(error)} (`arena plugins --hooks` lists the hooks)", cause=error
        )


def _check_hooks(manager: Manager, plugin: object) -> None:
    """Raises ValueError if the plugin implements a hook that does not exist, or none at all."""
    callers = manager.get_hookcallers(plugin) or []
    unknown = [caller.name for caller in callers if not caller.has_spec()]
    if unknown:
        raise ValueError(f"implements an unknown hook: {', '.join(unknown)}")
    if not callers:
        raise ValueError("implements no hook: put `@hookimpl` before its functions")


def _lack(kind: Kind, thing: object) -> str:
    """What a thing lacks to be of its kind; empty if nothing."""
    given = f"{kind.hook} gives a {kind.name}"
    if thing is None:
        return f"{given} that is None"
    given += f" ({type(thing).__name__})"
    for member in (*kind.values, *kind.methods):
        try:
            value = getattr(thing, member)
        except AttributeError:
            return f"{given} without `{member}`"
        except (Exception, SystemExit) as error:  # a property of a stranger
            return f"{given} whose `{member}` raises {shown(error)}"
        if member in kind.methods and not callable(value):
            return f"{given} whose `{member}` is not a method"
        if member in kind.values and (wrong := kind.values[member](value)):
            return f"{given} whose `{member}` {wrong}"
    return ""


def games(manager: pluggy.PluginManager) -> dict[str, Game]:
    """Every game, by name."""
    return _by_name(manager, "game")


def sandboxes(manager: pluggy.PluginManager) -> dict[str, Sandbox]:
    """Every sandbox provider, by name, the most wanted first."""
    return _by_name(manager, "sandbox")


def schedules(manager: pluggy.PluginManager) -> dict[str, Schedule]:
    """Every tournament format, by name."""
    return _by_name(manager, "schedule")


def ratings(manager: pluggy.PluginManager) -> dict[str, Rating]:
    """Every rating system, by name."""
    return _by_name(manager, "rating")


def executors(manager: pluggy.PluginManager) -> dict[str, Any]:
    """Every executor, by name."""
    return _by_name(manager, "executor")


def report_formats(manager: pluggy.PluginManager) -> dict[str, Any]:
    """Every leaderboard format, by name."""
    return _by_name(manager, "report format")


def views(manager: pluggy.PluginManager) -> dict[str, Any]:
    """Every view of a game, by the game's name."""
    return _by_name(manager, "view")


def adapters(manager: pluggy.PluginManager) -> dict[str, Any]:
    """Every bridge for bots of another interface, by name."""
    return _by_name(manager, "adapter")


def extra_commands(manager: Manager, taken: Iterable[str]) -> dict[str, tuple[Any, Origin]]:
    """The Typer apps that plugins add to the command line, and who brings each, by their names.

    None hides a name in `taken`.
    """
    names = set(taken)
    apps: dict[str, tuple[Any, Origin]] = {}
    for plugin, app in manager.brought(_kind("command")):
        name = command_name(app)
        if not name:
            manager.complain(plugin, "arena_commands gives a command without a name")
        elif name in names:
            manager.complain(plugin, f"its command {name!r} would hide another of that name")
        else:
            names.add(name)
            apps[name] = app, manager.origin(plugin)
    return apps


def command_name(app: object) -> str:
    """The name of a plugin's Typer app; empty if it has none."""
    name = getattr(getattr(app, "info", None), "name", None)
    return name if isinstance(name, str) else ""


def _kind(name: str) -> Kind:
    return next(kind for kind in KINDS if kind.name == name)


def _by_name(manager: pluggy.PluginManager, kind: str) -> dict[str, Any]:
    assert isinstance(manager, Manager)
    named: dict[str, Any] = {}
    bringers: dict[str, str] = {}
    for plugin, thing in manager.brought(_kind(kind)):
        if thing.name in named:
            manager.complain(
                plugin,
                f"brings the {kind} {thing.name!r}, "
                f"and so does {manager.origin(bringers[thing.name])}",
            )
            continue
        named[thing.name] = thing
        bringers[thing.name] = plugin
    return named
