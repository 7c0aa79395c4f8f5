"""Where a command's results go: into a file, or to stdout."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

import orjson

from arena.errors import writing
from arena.records import MatchRecord
from arena.report.escape import visible_json
from arena.store import refuse_part_of_run

STDOUT = "-"


class Lines(Protocol):
    """Takes whole lines."""

    def write(self, lines: bytes, /) -> object: ...


@contextmanager
def opened(path: Path | None) -> Iterator[Lines]:
    """A file to write lines of JSON to, begun anew; stdout without a path. Raises ArenaError."""
    if path is None:
        yield _Shown()
        sys.stdout.buffer.flush()
        return
    refuse_part_of_run(path)
    with writing(path), path.open("wb") as target:
        yield target


@contextmanager
def appending(
    path: Path | None, *, make_folders: bool = False
) -> Iterator[Callable[[MatchRecord], None]]:
    """Yields what appends a record as the file's last line; to stdout for `-`, nowhere for None.

    The file is tried at once: what stands in the way is to be known before a match, not after it.
    A file or folder made for that is gone again when no record came. Raises ArenaError.
    """
    if path is None or str(path) == STDOUT:
        yield lambda record: None if path is None else _print_record(record)
        return
    refuse_part_of_run(path)
    place = _place_of(path)
    folders = [folder for folder in place.parents if make_folders and not folder.exists()]
    new = not place.exists()
    with writing(path):
        for folder in reversed(folders):
            folder.mkdir(exist_ok=True)
        if not _is_used_by_opening(place):
            place.open("ab").close()

    def append(record: MatchRecord) -> None:
        with writing(path), place.open("ab") as target:
            target.write(_line(record))

    try:
        yield append
    finally:
        if new and place.is_file() and place.stat().st_size == 0:
            # Folders that somebody else has put something into meanwhile stay.
            with suppress(OSError):
                place.unlink()
                for folder in folders:
                    folder.rmdir()


class _Shown:
    """Stdout, for whole lines of JSON: it may be a terminal, and bots write notes into records."""

    def write(self, lines: bytes, /) -> None:
        shown = lines if lines.isascii() else visible_json(lines.decode()).encode()
        sys.stdout.buffer.write(shown)


def _line(record: MatchRecord) -> bytes:
    return orjson.dumps(record.as_dict()) + b"\n"


def _print_record(record: MatchRecord) -> None:
    _Shown().write(_line(record))
    sys.stdout.buffer.flush()


def refuse_unwritable(path: Path) -> None:
    """A file that could not be written later is told now. Raises ArenaError; leaves nothing."""
    refuse_part_of_run(path)
    place = _place_of(path)
    exists = place.exists()
    if _is_used_by_opening(place):
        return
    with writing(path):
        place.open("ab").close()
        if not exists:
            place.unlink()


def _place_of(path: Path) -> Path:
    """What a plain file's link leads to: that is taken back, not the link. Else the path itself.

    A pipe of the shell (`>(wc)`, `/dev/stdout`) is a link, too, but to nothing that has a path.
    """
    return path if _is_used_by_opening(path) else Path(os.path.realpath(path))


def _is_used_by_opening(place: Path) -> bool:
    """True for pipes and devices: there is no trying them beforehand."""
    return place.exists() and not place.is_file() and not place.is_dir()


def write_text(text: str, path: Path) -> None:
    """The file holds the text and nothing else; on stdout for `-`. Raises ArenaError."""
    if str(path) == STDOUT:
        sys.stdout.write(text)
        return
    refuse_part_of_run(path)
    with writing(path):
        path.write_text(text, encoding="utf-8")
