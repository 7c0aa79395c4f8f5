"""Things found by the names that people type: an unknown name is an error that helps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import TypeVar

from arena.errors import ConfigError

T = TypeVar("T")


def pick(named: Mapping[str, T], name: str, kind: str, *, where: str = "") -> T:
    """The thing of that name. Raises ConfigError with the nearest name, or with all of them."""
    if name not in named:
        raise ConfigError(f"there is no {kind} {name!r}", where=where, mend=guess(name, named))
    return named[name]


def guess(word: str, known: Iterable[str]) -> str:
    """What somebody may have meant who typed this: the nearest name, or all that there are."""
    names = list(known)
    near = get_close_matches(word[:40], names, n=1)
    return f"did you mean {near[0]!r}?" if near else f"known: {', '.join(names) or 'none'}"
