"""What any game sends, in one line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from arena.report.escape import visible


def plain(value: object) -> str:
    """A value of a message in one line: words as they are, all else as JSON."""
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def event_line(event: Mapping[str, Any]) -> str:
    """A notification in one line, field by field."""
    told = (f"{key} {plain(value)}" for key, value in event.items() if key != "type")
    return visible(f"{str(event['type']).replace('_', ' ')}: {', '.join(told)}")


def place_words(deal: int | None, trick: int | None) -> str:
    """A place in a match in words: `deal 2, trick 3`; empty before the first deal."""
    words = [f"deal {deal}"] if deal is not None else []
    words += [f"trick {trick}"] if trick is not None else []
    return ", ".join(words)
