"""Data as a script: a page that was opened from a file may run scripts beside it, but not fetch."""

from __future__ import annotations

import orjson

_IN_A_STRING = (
    (b"\\", b"\\\\"),
    (b"'", b"\\'"),
    (b"<", b"\\x3c"),
    (b"\xe2\x80\xa8", b"\\u2028"),
    (b"\xe2\x80\xa9", b"\\u2029"),
)
"""What may not stand in a script's single-quoted string, the backslash first.

`<` is no danger in a file of its own, but the file may be pasted into a page.
"""


def script_of(name: str, value: object) -> bytes:
    """A script that hands the value to `arena.receive` under this name.

    The value is parsed from a string: quicker than a literal, and a key `__proto__` is only a key.
    """
    text = orjson.dumps(value)
    for raw, escaped in _IN_A_STRING:
        text = text.replace(raw, escaped)
    return b"arena.receive('%s', JSON.parse('%s'));\n" % (name.encode(), text)
