"""Names from strangers, made harmless for the place where they are shown."""

from __future__ import annotations

import json
import re

_MARKDOWN = re.compile(r"([\\`*_\[\]<>#|~$&])")
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def visible(text: str) -> str:
    """The text with every control, format and unassigned character written as its code."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def visible_json(text: str) -> str:
    """JSON of the same value, in which nothing but printable characters and line feeds stands.

    Writers of JSON leave in what lies above ASCII: U+009B begins an order to a terminal.
    """
    if text.isascii():
        return text
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)


def for_markdown(text: str) -> str:
    """The text as it would look in plain, in any place of a Markdown table."""
    return _MARKDOWN.sub(r"\\\1", visible(text))


def for_spreadsheet(text: str) -> str:
    """The text, with a leading apostrophe where a spreadsheet would take it for a formula."""
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text
