"""File names for the pages of bots, whose names come from strangers."""

from __future__ import annotations

import re
from collections.abc import Iterable

_OTHER = re.compile(r"[^a-z0-9]+")
_LIMIT_CHARS = 48


def page_names(labels: Iterable[str]) -> dict[str, str]:
    """A path for every label: lower-case letters, digits and hyphens, no two alike."""
    taken: set[str] = set()
    pages: dict[str, str] = {}
    for label in labels:
        stem = base = _OTHER.sub("-", label.lower()).strip("-")[:_LIMIT_CHARS] or "bot"
        number = 1
        while stem in taken:
            number += 1
            stem = f"{base}-{number}"
        taken.add(stem)
        pages[label] = f"bots/{stem}.html"
    return pages
