"""Values from outside, made fit for a message of one line."""

from __future__ import annotations

LIMIT = 40


def quoted(value: object) -> str:
    """A scalar as Python writes it, clipped and escaped; of anything else, its type."""
    if not isinstance(value, str | int | float | None):
        return f"a {type(value).__name__}"
    if isinstance(value, int) and value.bit_length() > 8 * LIMIT:
        return "a number of very many digits"
    text = repr(value[: LIMIT + 1] if isinstance(value, str) else value)
    return text if len(text) <= LIMIT + 2 else text[:LIMIT] + "…"
