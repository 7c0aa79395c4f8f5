"""Where a command's results go: into a file, or to stdout."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
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


@contextmanager
def appending(
    path: Path | None, *, make_folders: bool = False
) -> Iterator[Callable[[MatchRecord], None]]:
    """Yields what appends a record as the file's last line; to stdout for `-`, nowhere for None.

    The file is tried at once: what stands in the way is to be known before a match, not after it.
    A file or folder made for that is gone again when no record came. Raises ConfigError.
    """
    if path is None or str(path) == STDOUT:
        yield lambda record: None if path is None else _print_record(record)
        return
    folders = [folder for folder in path.parents if make_folders and not folder.exists()]
    new = not path.exists()
    with writing(path):
        for folder in reversed(folders):
            folder.mkdir(exist_ok=True)
        path.open("ab").close()

    def append(record: MatchRecord) -> None:
        with writing(path), path.open("ab") as target:
            target.write(_line(record))

    try:
        yield append
    finally:
        if new and path.exists() and path.stat().st_size == 0:
            # Folders that somebody else has put something into meanwhile stay.
            with suppress(OSError):
                path.unlink()
                for folder in folders:
                    folder.rmdir()


def _line(record: MatchRecord) -> bytes:
    return orjson.dumps(record.as_dict()) + b"\n"


def _print_record(record: MatchRecord) -> None:
    sys.stdout.buffer.write(_line(record))
    sys.stdout.buffer.flush()


def refuse_unwritable(path: Path) -> None:
    """A file that could not be written later is told now. Raises ConfigError; leaves nothing."""
    exists = path.exists()
    if exists and not path.is_file() and not path.is_dir():
        return  # to open a pipe or a device is to use it
    with writing(path):
        path.open("ab").close()
        if not exists:
            path.unlink()


def write_text(text: str, path: Path) -> None:
    """The file holds the text and nothing else; on stdout for `-`. Raises ConfigError."""
    if str(path) == STDOUT:
        sys.stdout.write(text)
        return
    with writing(path):
        path.write_text(text, encoding="utf-8")
