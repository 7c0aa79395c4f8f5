"""What comes from outside is read up to a limit: files, what is packed in them, and JSON.

A file of a few kilobytes can unpack to gigabytes, a device never ends, and a short text of JSON can
stand for many times its size in objects. So a size is asked for before memory is.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from arena.errors import ConfigError, reading

RECORD_LIMIT_BYTES = 64 * 1024 * 1024
"""The longest record: ten thousand deals take less than half of it."""

TEXT_LIMIT_BYTES = 1024 * 1024
"""The longest file that somebody writes by hand."""

_UNWEIGHED_BYTES = 16 * 1024 * 1024
_MOST_VALUES = 8_000_000


class TooLargeError(ValueError):
    """More came than is read."""


def read_text(path: Path, limit_bytes: int = TEXT_LIMIT_BYTES, *, mend: str = "") -> str:
    """The text of a file, which may begin with a byte order mark, a pipe or a device.

    Raises ConfigError if it cannot be read, is no UTF-8, or is longer than the limit.
    """
    with reading(path):
        with path.open("rb") as file:
            content = read_up_to(limit_bytes, file, path, mend=mend)
        return content.decode("utf-8-sig")


def read_up_to(limit_bytes: int, file: BinaryIO, path: Path, *, mend: str = "") -> bytes:
    """All that is left in the file. Raises ConfigError if that is more than the limit."""
    content = file.read(limit_bytes + 1)
    if len(content) > limit_bytes:
        raise ConfigError(
            f"is longer than {limit_bytes >> 20} MiB",
            where=str(path),
            mend=mend or "give a shorter one",
        )
    return content


def inflated(packed: bytes, limit_bytes: int = RECORD_LIMIT_BYTES) -> bytes:
    """What zlib has packed. Raises zlib.error; TooLargeError for more than the limit."""
    unpacking = zlib.decompressobj()
    text = unpacking.decompress(packed, limit_bytes)
    if not unpacking.eof:
        if len(text) >= limit_bytes:
            raise TooLargeError(f"unpacks to more than {limit_bytes >> 20} MiB")
        raise zlib.error("it ends too early")
    return text


def parse_json(text: bytes) -> Any:
    """The value of a JSON text. Raises orjson.JSONDecodeError, TooLargeError for too many values.

    A value begins the text or stands behind one of three signs; in strings they count as well.
    """
    if len(text) > _UNWEIGHED_BYTES and sum(map(text.count, (b",", b"[", b"{"))) > _MOST_VALUES:
        raise TooLargeError(f"holds more than {_MOST_VALUES:,} values")
    return orjson.loads(text)
