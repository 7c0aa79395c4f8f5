"""What a run has played, read and written a match at a time."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from arena.errors import StoreError
from arena.store import database
from arena.store.database import connected, header_rows, initialise, locked, trouble
from arena.store.numbers import Numbers

# Read by the page, so that a reader holds no transaction open and a long run's memory stays flat.
PAGE_ROWS = 500
_NO_STOP = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Packed:
    """A record as it is stored: its JSON, and that of its brief if it has one, by zlib."""

    record: bytes
    brief: bytes | None = None


def packed(record: bytes, brief: bytes | None = None) -> Packed:
    """Packs a record's JSON, and that of its brief: the record without its cards."""
    return Packed(zlib.compress(record), None if brief is None else zlib.compress(brief, 1))


@dataclass(frozen=True, slots=True)
class Played:
    """A finished match on its way into the store.

    `bots` are indices into the run's bots, and `ranks` by seat: enough for a standing, so that one
    can be had without reading every record.
    """

    number: int
    match: str
    bots: tuple[int, ...]
    ranks: tuple[int, ...]
    packed: Packed


@dataclass(frozen=True, slots=True)
class Row:
    """A finished match as the database holds it, for an audit: nothing of it is taken for granted.

    `bots` and `ranks` are columns of numbers, `record` and `brief` JSON.
    """

    number: int
    match: object
    bots: object
    ranks: object
    record: bytes
    brief: bytes | None


class RunStore:
    """An open run folder. Use `create`, `open` or `read`, as context managers."""

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self._connection = connection

    @classmethod
    @contextmanager
    def create(cls, folder: Path, header: Mapping[str, Any]) -> Iterator[RunStore]:
        """A new run folder, held by this process. Raises StoreError if there is a run in it."""
        with trouble(folder):
            folder.mkdir(parents=True, exist_ok=True)
        with locked(folder):
            if cls.is_run(folder):
                raise StoreError("there is a run in this folder already", where=str(folder))
            with trouble(folder):
                initialise(folder, header)
            with connected(folder) as connection:
                yield cls(folder, connection)

    @classmethod
    @contextmanager
    def open(cls, folder: Path) -> Iterator[RunStore]:
        """An existing run folder, held by this process, to go on writing."""
        with locked(folder), connected(folder) as connection:
            yield cls(folder, connection)

    @classmethod
    @contextmanager
    def read(cls, folder: Path) -> Iterator[RunStore]:
        """An existing run folder, to read; another process may be writing it."""
        with connected(folder, read_only=True) as connection:
            yield cls(folder, connection)

    @staticmethod
    def is_run(folder: Path) -> bool:
        """True if there is a run in this folder."""
        return database.is_run(folder)

    def header(self) -> dict[str, Any]:
        """What the run was started with, JSON-ready."""
        rows = self._all("SELECT key, value FROM header")
        return {key: orjson.loads(value) for key, value in rows if key != "schema"}

    def set_header(self, values: Mapping[str, Any]) -> None:
        """Changes some keys of the header."""
        with trouble(self.folder), self._connection:
            self._connection.executemany(
                "INSERT OR REPLACE INTO header VALUES (?, ?)", header_rows(values)
            )

    def add(self, played: Iterable[Played]) -> None:
        """Stores a batch in one transaction. A match that is there already is left as it is."""
        rows = [_row(each) for each in played]
        with trouble(self.folder), self._connection:
            self._connection.executemany(
                "INSERT OR IGNORE INTO matches VALUES (?, ?, ?, ?, ?, ?)", rows
            )

    def add_void(self, number: int, reason: str) -> None:
        """Notes an attempt that ended through no bot's fault; the match stays to be played."""
        with trouble(self.folder), self._connection:
            self._connection.execute(
                "INSERT INTO voids (number, reason) VALUES (?, ?)", (number, reason)
            )

    def mark_void(self, match: str, reason: str) -> None:
        """A finished match counts no more: its record says why, under `void`, and is kept."""
        record = {**self.record(match), "void": reason}
        blob = zlib.compress(orjson.dumps(record), 6)
        with trouble(self.folder), self._connection:
            self._connection.execute(
                "UPDATE matches SET record = ?, brief = NULL WHERE match = ?", (blob, match)
            )

    def voids(self) -> list[tuple[int, str]]:
        """The numbers and reasons of void attempts, in the order in which they happened."""
        return self._all("SELECT number, reason FROM voids ORDER BY id")

    def count(self) -> int:
        """How many matches are finished."""
        return int(self._all("SELECT count(*) FROM matches")[0][0])

    def done(self) -> Numbers:
        """The numbers of the finished matches."""
        with trouble(self.folder):
            rows = self._connection.execute("SELECT number FROM matches")
            return Numbers(number for (number,) in rows)

    def placings(self) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Bots (as indices) and ranks of every match, by seat."""
        for bots, ranks in self._all("SELECT bots, ranks FROM matches ORDER BY number"):
            yield _read_list(bots), _read_list(ranks)

    def records(self) -> Iterator[dict[str, Any]]:
        """Every record in the order of the schedule."""
        for line in self.lines():
            yield orjson.loads(line)

    def briefs(self, numbers: range | None = None) -> Iterator[dict[str, Any]]:
        """Every record in the order of the schedule, without its cards where they can be spared.

        With `numbers`, those of the matches with these numbers in the schedule.
        """
        for (blob,) in self._pages("coalesce(brief, record)", numbers):
            yield orjson.loads(self._inflated(blob))

    def rows(self) -> Iterator[Row]:
        """Every match in the order of the schedule, with all that is stored of it."""
        sql = "number, match, bots, ranks, record, brief"
        for number, match, bots, ranks, record, brief in self._pages(sql):
            told = None if brief is None else self._inflated(brief)
            yield Row(number, match, bots, ranks, self._inflated(record), told)

    def last_number(self) -> int:
        """The highest number of a finished match; -1 if there is none."""
        return int(self._all("SELECT coalesce(max(number), -1) FROM matches")[0][0])

    def lines(self) -> Iterator[bytes]:
        """Every record as a line of JSON (no line feed), in the order of the schedule."""
        for (blob,) in self._pages("record"):
            yield self._inflated(blob)

    def _pages(self, columns: str, numbers: range | None = None) -> Iterator[tuple[Any, ...]]:
        """The columns of every match (with one of these numbers), read page by page."""
        last, stop = (numbers.start - 1, numbers.stop) if numbers else (-1, _NO_STOP)
        sql = (
            f"SELECT number, {columns} FROM matches WHERE number > ? AND number < ? "
            "ORDER BY number LIMIT ?"
        )
        while rows := self._all(sql, (last, stop, PAGE_ROWS)):
            for number, *values in rows:
                yield tuple(values)
                last = number

    def record(self, match: str) -> dict[str, Any]:
        """One record by the match's name. Raises StoreError if there is none."""
        rows = self._all("SELECT record FROM matches WHERE match = ?", (match,))
        if not rows:
            raise StoreError(
                f"there is no match {match!r}",
                where=str(self.folder),
                mend="`arena export` lists the matches",
            )
        found: dict[str, Any] = orjson.loads(self._inflated(rows[0][0]))
        return found

    def _all(self, sql: str, values: tuple[Any, ...] = ()) -> list[Any]:
        with trouble(self.folder):
            return self._connection.execute(sql, values).fetchall()

    def _inflated(self, blob: bytes) -> bytes:
        with trouble(self.folder):
            return zlib.decompress(blob)


def _row(played: Played) -> tuple[object, ...]:
    bots, ranks, packed = _listed(played.bots), _listed(played.ranks), played.packed
    return played.number, played.match, bots, ranks, packed.record, packed.brief


def _listed(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _read_list(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))
