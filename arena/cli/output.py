"""Where a command's results go: into a file, or to stdout."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import orjson

from arena.errors import writing
from arena.records import MatchRecord

STDOUT = "-"


@contextmanager
def opened(path: Path | None) -> Iterator[BinaryIO]:
    """A file to write, begun anew; stdout without a path. Raises ConfigError."""
    if path is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with writing(path), path.open("wb") as target:
        yield target


def check_appendable(path: Path) -> None:
    """Nothing stands in the way of `append_record`: to be known before a match, not after it."""
    if str(path) != STDOUT:
        with writing(path):
            path.open("ab").close()


def append_record(record: MatchRecord, path: Path) -> None:
    """The record is the last line of the file, or on stdout for `-`. Raises ConfigError."""
    line = orjson.dumps(record.as_dict()) + b"\n"
    if str(path) == STDOUT:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
        return
    with writing(path), path.open("ab") as target:
        target.write(line)


def write_text(text: str, path: Path) -> None:
    """The file holds the text and nothing else; on stdout for `-`. Raises ConfigError."""
    if str(path) == STDOUT:
        sys.stdout.write(text)
        return
    with writing(path):
        path.write_text(text, encoding="utf-8")
