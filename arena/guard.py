"""A stranger's thing behind a guard: what its methods raise, or give instead of what they promise,
becomes a `PluginError` that names the package, the plugin, the kind and the member.

Theory of operation. `plugins` hands out our own things as they are, and others inside a `Guard`,
which has the same public members. A guard is called in place of the thing once a command, a run or
a match, and never in a decision: the states of a game's matches are not guarded (the referee finds
out what was wrong with one when something went wrong, see `arena.games.soundness`). Generators pass
as they are: who runs them holds them to their promise.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from arena.errors import ArenaError, PluginError

T = TypeVar("T")

Promise = Callable[[Any], str]
"""What is wrong with a result, as the end of a sentence (`gives 3, not text`); empty if nothing."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Who brings a thing: the plugin, and its package ("": none)."""

    plugin: str
    package: str = ""

    def __str__(self) -> str:
        return f"plugin {self.plugin!r}" + (f" of {self.package}" if self.package else "")

    @property
    def hint(self) -> str:
        return f"fix or uninstall it, or add --without-plugin {self.plugin}"


class Guard:
    """Stands for a stranger's thing; `arena_origin` says who brings it."""

    arena_origin: Origin

    def __init__(self, thing: Any) -> None:
        self.__dict__["_thing"] = thing

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_thing"], name)


def guarded(thing: T, kind: str, origin: Origin, promises: Mapping[str, Promise]) -> T:
    """The thing behind a guard. `promises` hold the results of its methods."""
    methods: dict[str, Any] = {}
    values: dict[str, Any] = {}
    for member in (member for member in dir(thing) if not member.startswith("_")):
        found = getattr(thing, member, None)
        if callable(found) and not isinstance(found, type):
            methods[member] = found
        else:
            values[member] = property(functools.partial(_value, member))
    values |= {"arena_origin": origin, "__module__": type(thing).__module__}
    made: Any = type(type(thing).__name__, (Guard,), values)
    guard: T = made(thing)
    for member, method in methods.items():
        guard.__dict__[member] = _watched(method, member, guard, kind, promises.get(member))
    return guard


def _value(member: str, guard: Guard) -> Any:
    return getattr(guard.__dict__["_thing"], member)


def _watched(
    method: Callable[..., Any], member: str, guard: Any, kind: str, promise: Promise | None
) -> Callable[..., Any]:
    @functools.wraps(method)
    def watched(*given: Any, **named: Any) -> Any:
        try:
            result = method(*given, **named)
            wrong = promise(result) if promise else ""
        except (ArenaError, OSError):
            raise
        except (Exception, SystemExit) as error:
            raise broken(kind, guard, f"`{member}` raises {shown(error)}") from error
        if wrong:
            raise broken(kind, guard, f"`{member}` {wrong}")
        return result

    return watched


def broken(kind: str, thing: Any, what: str, *, hint: str = "") -> PluginError:
    """The error that names a thing which does not keep what its kind promises."""
    origin = getattr(thing, "arena_origin", None)
    where = f"{kind} {thing.name!r}" + (f" of {origin}" if origin else "")
    return PluginError(what, where=where, mend=hint or (origin.hint if origin else ""))


@contextmanager
def blaming(
    thing: object,
    member: str,
    named: Callable[[str], PluginError],
    *,
    passing: tuple[type[Exception], ...] = (),
) -> Iterator[None]:
    """What the member of a plugin's thing raises in this block becomes what `named` makes.

    Errors of ours and those in `passing` stay what they are. So does whatever a thing of our own
    raises: that is a bug, and keeps its traceback.
    """
    try:
        yield
    except (Exception, SystemExit) as error:
        if isinstance(error, (ArenaError, *passing)) or is_ours(thing):
            raise
        raise named(f"`{member}` raises {shown(error)}") from error


def is_ours(thing: object) -> bool:
    """True if the thing comes with the harness: what it raises is a bug, and keeps its trace."""
    return type(thing).__module__.partition(".")[0] == "arena"


def shown(error: BaseException) -> str:
    """An exception in one line, without a library's line breaks."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:300]
