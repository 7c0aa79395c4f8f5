"""Values from outside, made fit for a message of one line."""

from __future__ import annotations

LIMIT = 40
LIST_LIMIT = 4


def quoted(value: object) -> str:
    """A scalar, or a short list of them, clipped and escaped; of anything else, its type."""
    if isinstance(value, list) and 0 < len(value) <= LIST_LIMIT:
        return "[" + ", ".join(map(_quoted_scalar, value)) + "]"
    return _quoted_scalar(value)


def _quoted_scalar(value: object) -> str:
    if not isinstance(value, str | int | float | None):
        return f"a {type(value).__name__}"
    if isinstance(value, int) and value.bit_length() > 8 * LIMIT:
        return "a number of very many digits"
    text = repr(value[: LIMIT + 1] if isinstance(value, str) else value)
    return text if len(text) <= LIMIT + 2 else text[:LIMIT] + "…"
