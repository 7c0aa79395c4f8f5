"""TOML that people wrote by hand, or strangers to see what happens: every failing is one error."""

from __future__ import annotations

import re
import tomllib
from typing import Any

DEPTH_LIMIT = 32
"""Tables and lists within each other. No file of ours needs more than four."""

_PART = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(rf"(?<![\w-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{DEPTH_LIMIT}}}")
"""A key such as `a.b.c` with more parts: the parser takes the square of their number, and
40 KB of them half a minute and 1.5 GB. Prose of so many words with dots between is refused too."""


class TomlError(ValueError):
    """The text cannot be used; the message says why and, where the parser knows it, the line."""


def parse_toml(text: str) -> dict[str, Any]:
    """The table in the text. Raises TomlError."""
    if _LONG_KEY.search(text):
        raise TomlError(_TOO_DEEP)
    try:
        table = tomllib.loads(text)
    except RecursionError:
        raise TomlError(_TOO_DEEP) from None
    except ValueError as error:  # not only TOMLDecodeError: a number may be too long to be read
        raise TomlError(f"not TOML: {error}") from None
    _refuse_depth(table)
    return table


_TOO_DEEP = f"nested deeper than {DEPTH_LIMIT}"


def _refuse_depth(table: dict[str, Any]) -> None:
    level: list[Any] = [table]
    for _ in range(DEPTH_LIMIT):
        level = [inner for value in level for inner in _inside(value)]
    if level:
        raise TomlError(_TOO_DEEP)


def _inside(value: object) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
