"""Every kind of thing that plugins bring: its hook, and what each thing of that kind must keep.

`values` and `methods` are what a thing must have; the promises beside them say what is wrong with a
value, or with a result. `optional` members are held to theirs if they are there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sized
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from arena.games.api import MOST_SEATS, Replayed, State
from arena.guard import Promise
from arena.process import Launch
from arena.sandbox.api import CapabilityReport, Unavailable

_NONE: Mapping[str, Promise] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of thing: its name, its hook, and what each thing must have."""

    name: str
    hook: str
    values: Mapping[str, Promise] = field(default_factory=lambda: _NONE)
    methods: Mapping[str, Promise] = field(default_factory=lambda: _NONE)
    optional: Mapping[str, Promise] = field(default_factory=lambda: _NONE)

    @property
    def promises(self) -> Mapping[str, Promise]:
        """What every method promises, by its name."""
        return {**self.methods, **self.optional}


def _anything(given: Any) -> str:
    """For results that are looked at where they are used."""
    return ""


def _of(*kinds: type, called: str = "") -> Promise:
    expected = called or kinds[0].__name__

    def promise(given: Any) -> str:
        return "" if isinstance(given, kinds) else f"gives {_clip(given)}, not {expected}"

    return promise


def _text(given: Any) -> str:
    return "" if isinstance(given, str) else f"gives {_clip(given)}, not text"


def _name(given: Any) -> str:
    if isinstance(given, str) and given.strip():
        return ""
    return f"gives {_clip(given)}, not a name"


def _from_to(least: int, most: int) -> Promise:
    def promise(given: Any) -> str:
        if type(given) is int and least <= given <= most:
            return ""
        return f"gives {_clip(given)}, not a number from {least} to {most}"

    return promise


def _variants(given: Any) -> str:
    if not isinstance(given, Mapping):
        return f"gives {_clip(given)}, not variants by name"
    if not given:
        return "gives no variant: the first is the default"
    odd = next((name for name in given if not isinstance(name, str)), None)
    return "" if odd is None else f"gives the name {_clip(odd)}, not text"


def _variant(given: Any) -> str:
    if not isinstance(given, dict):
        return f"gives {_clip(given)}, not the parameters of a variant"
    return "" if isinstance(given.get("name"), str) else "gives a variant without its `name`"


_STATE = frozenset(name for name in vars(State) if not name.startswith("_")) - {"clone"}
"""What a match asks of a state. `clone` is for those who look ahead."""


def _state(given: Any) -> str:
    lack = next((name for name in sorted(_STATE) if not callable(getattr(given, name, None))), None)
    return f"gives a state ({type(given).__name__}) without `{lack}`" if lack else ""


def _figure(given: Any) -> str:
    if isinstance(given, int | float) and math.isfinite(given) and given >= 0:
        return ""
    return f"gives {_clip(given)}, not a number from 0"


def _clip(given: Any) -> str:
    if given is None or isinstance(given, bool | int | float | str):
        return repr(given)[:60]
    return f"{type(given).__name__}" + (
        " of nothing" if isinstance(given, Sized) and not len(given) else ""
    )


KINDS = (
    Kind(
        "game",
        "arena_games",
        {"name": _name, "version": _text, "seats": _from_to(2, MOST_SEATS)},
        {
            "variants": _variants,
            "variant": _variant,
            "deals_of": _from_to(1, 10**9),
            "new_match": _state,
            "replay": _of(Replayed),
            "rules_text": _text,
        },
        {"seats_of": _from_to(2, MOST_SEATS), "span": _figure},
    ),
    Kind(
        "sandbox",
        "arena_sandboxes",
        {"name": _name},
        {
            "unavailable": _of(Unavailable, type(None), called="Unavailable or None"),
            "report": _of(CapabilityReport),
            "launch": _of(Launch),
        },
    ),
    # law.py, checked.py, held.py and adapter.py hold these to what their methods promise.
    Kind(
        "schedule",
        "arena_schedules",
        {"name": _name, "summary": _text},
        {"seatings": _anything, "count": _anything},
    ),
    Kind("rating", "arena_ratings", {"name": _name, "summary": _text}, {"rate": _anything}),
    Kind("executor", "arena_executors", {"name": _name}, {"play": _anything}),
    Kind(
        "report format",
        "arena_report_formats",
        {"name": _name, "summary": _text},
        {"render": _text},
        {"render_comparison": _text},
    ),
    Kind(
        "view",
        "arena_views",
        {"name": _name},
        dict.fromkeys(("step", "person", "watcher", "action"), _anything),
    ),
    Kind(
        "adapter",
        "arena_adapters",
        {"name": _name},
        {"bridge": _anything, "manifest": _text},
    ),
    Kind("command", "arena_commands"),
)
"""Every kind, in the order in which `arena plugins` lists them."""
