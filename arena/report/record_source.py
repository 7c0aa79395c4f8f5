"""Where match records are read from: a run folder, or a file of JSON lines from any program.

Records may come from strangers: a line that is no record becomes a `BadLine` that says where, what
and how to mend it. Who can go on without it, does; who cannot, refuses it (`refuse_bad_lines`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from arena.bounded import RECORD_LIMIT_BYTES, TooLargeError, parse_json
from arena.errors import ConfigError, reading
from arena.report.escape import visible
from arena.report.record_check import excerpt
from arena.store import RunStore

LINE_LIMIT_BYTES = RECORD_LIMIT_BYTES


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no record: where it stands, what is wrong and how to mend it."""

    where: str
    what: str
    mend: str


Located = tuple[str, Mapping[str, Any]] | BadLine
"""Where a record stands (file and line, run and match), and the record."""


def read_any(path: Path, *, cards: bool = False) -> Iterator[Located]:
    """The records of a run folder or of a file, each with the place where it stands.

    A run folder gives its records without the cards, which is much faster, unless asked for them.
    """
    return read_run(path, cards=cards) if path.is_dir() else read_lines(path)


def read_run(folder: Path, *, cards: bool = False) -> Iterator[Located]:
    """Every finished match of a run folder, in the order of its schedule."""
    with RunStore.read(folder) as store:
        for record in store.records() if cards else store.briefs():
            yield f"{folder} match {record.get('match')}", record


def read_lines(path: Path) -> Iterator[Located]:
    """Every line of a file of JSON lines that is not blank, parsed, with its number."""
    mend = "give a run folder, or a file with one record a line"
    with reading(path, mend=mend), path.open("rb") as stream:
        yield from lines_of(stream, str(path))


def whole_records(path: Path) -> Iterator[Mapping[str, Any]]:
    """The records of a run folder or of a file, with all cards. Raises ConfigError at a line that
    is no record."""
    for located in read_any(path, cards=True):
        if isinstance(located, BadLine):
            raise ConfigError(located.what, where=located.where, mend=located.mend)
        yield located[1]


def find_record(path: Path, match: str | None) -> Mapping[str, Any]:
    """The record of a match in a run folder or a file; `match` may be left out if it is the only
    one there. Raises ArenaError if there is no such match."""
    if path.is_dir() and match is not None:
        with RunStore.read(path) as store:
            return store.record(match)
    wanted = (record for record in whole_records(path) if match in (None, record.get("match")))
    found = list(islice(wanted, 1 if match is not None else 2))
    if len(found) == 1:
        return found[0]
    if found:
        raise ConfigError(
            "there are several matches here", where=str(path), mend="name one of them"
        )
    what = "there is no record here" if match is None else f"there is no match {match!r}"
    raise ConfigError(visible(what), where=str(path))


def header_of(path: Path) -> dict[str, Any]:
    """What a run folder remembers of its run; nothing for a file of records."""
    if not path.is_dir():
        return {}
    with RunStore.read(path) as store:
        return store.header()


def lines_of(
    stream: BinaryIO, label: str, *, begun: bool = False, length: int | None = None
) -> Iterator[Located]:
    """The lines of a stream, or of its next `length` bytes, that are not blank, parsed.

    If the stream has `begun` before, its next line is not its first and the numbers are not known.
    """
    number, left = int(begun), length
    while left != 0 and (line := stream.readline(LINE_LIMIT_BYTES + 1)):
        number += 1
        if left is not None:
            left = max(0, left - len(line))
        where = f"{label} line {number}"
        if len(line) > LINE_LIMIT_BYTES:
            yield BadLine(where, "longer than 64 MiB, and so is unread the rest", "cut the line")
            return
        if text := line.removeprefix(b"\xef\xbb\xbf" if number == 1 else b"").strip():
            yield _parse(where, text)


def _parse(where: str, text: bytes) -> Located:
    try:
        value = parse_json(text)
    except orjson.JSONDecodeError as error:
        return BadLine(where, f"not JSON: {error.msg}", "write one JSON object a line")
    except TooLargeError as error:
        return BadLine(where, str(error), "cut the line")
    if isinstance(value, dict):
        return where, value
    return BadLine(where, f"{excerpt(value)} is no JSON object", "write one record a line")


def refuse_bad_lines(bad: list[BadLine]) -> None:
    """Raises ConfigError if there is a bad line: the first in full, the others by their place."""
    if not bad:
        return
    first, *others = bad
    more = ""
    if others:
        shown = ", ".join(line.where.rpartition("line ")[2] for line in others[:10])
        more = f"; and {len(others)} more bad: {shown}" + (", …" if len(others) > 10 else "")
    raise ConfigError(
        first.what + more,
        where=first.where,
        mend=f"{first.mend}; --skip-bad leaves bad lines out",
    )
