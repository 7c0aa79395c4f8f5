"""What a run has played, read and written a match at a time."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from arena.bounded import TooLargeError, inflated, parse_json
from arena.errors import StoreError
from arena.store import database
from arena.store.database import DATABASE, connected, header_rows, initialise, locked, trouble
from arena.store.numbers import Numbers

# Read by the page, so that a reader holds no transaction open and a long run's memory stays flat.
PAGE_ROWS = 500
PAGE_BYTES = 32 * 1024 * 1024
_MOST_BYTES = 256 * 1024 * 1024
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
        return {str(key): self._value(key, value) for key, value in rows if key != "schema"}

    def _value(self, key: object, text: object) -> Any:
        try:
            return orjson.loads(text)  # type: ignore[arg-type]
        except orjson.JSONDecodeError as error:
            raise StoreError(
                f"the run's header is damaged: {str(key)[:40]!r}: {error}",
                where=str(self.folder / DATABASE),
                mend=_RESTORE,
            ) from None

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

    def placings(self, field: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Bots (as indices into a field of so many) and ranks of every match, by seat."""
        for match, bots, ranks in self._pages("match, bots, ranks"):
            seats, places = _read_list(bots), _read_list(ranks)
            if len(seats) != len(places) or not all(0 <= bot < field for bot in seats):
                raise self._damaged(match, "its bots or ranks are not a match's")
            yield seats, places

    def records(self) -> Iterator[dict[str, Any]]:
        """Every record in the order of the schedule."""
        for match, blob in self._pages("match, record"):
            yield self._object(match, self._inflated(match, blob))

    def briefs(self, numbers: range | None = None) -> Iterator[dict[str, Any]]:
        """Every record in the order of the schedule, without its cards where they can be spared.

        With `numbers`, those of the matches with these numbers in the schedule.
        """
        for match, blob in self._pages("match, coalesce(brief, record)", numbers):
            yield self._object(match, self._inflated(match, blob))

    def rows(self) -> Iterator[Row]:
        """Every match in the order of the schedule, with all that is stored of it."""
        sql = "number, match, bots, ranks, record, brief"
        for number, match, bots, ranks, record, brief in self._pages(sql):
            told = None if brief is None else self._inflated(match, brief)
            yield Row(number, match, bots, ranks, self._inflated(match, record), told)

    def last_number(self) -> int:
        """The highest number of a finished match; -1 if there is none."""
        return int(self._all("SELECT coalesce(max(number), -1) FROM matches")[0][0])

    def lines(self) -> Iterator[bytes]:
        """Every record as a line of JSON (no line feed), in the order of the schedule."""
        for match, blob in self._pages("match, record"):
            text = self._inflated(match, blob)
            value = self._object(match, text)
            yield orjson.dumps(value) if b"\n" in text else text

    def _pages(self, columns: str, numbers: range | None = None) -> Iterator[tuple[Any, ...]]:
        """The columns of every match (with one of these numbers), read page by page."""
        last, stop = (numbers.start - 1, numbers.stop) if numbers else (-1, _NO_STOP)
        sql = (
            f"SELECT number, {columns} FROM matches WHERE number > ? AND number < ? "
            "ORDER BY number LIMIT ?"
        )
        while rows := self._fetched(sql, (last, stop, PAGE_ROWS), PAGE_BYTES):
            for number, *values in rows:
                if number <= last:  # no table does that: one that was forged may go round for ever
                    raise StoreError(
                        "the run's database is damaged: its matches are not in order",
                        where=str(self.folder),
                        mend=_RESTORE,
                    )
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
        return self._object(match, self._inflated(match, rows[0][0]))

    def _all(self, sql: str, values: tuple[Any, ...] = ()) -> list[Any]:
        return self._fetched(sql, values, _MOST_BYTES)

    def _fetched(self, sql: str, values: tuple[Any, ...], limit_bytes: int) -> list[Any]:
        """Rows, up to the one that brings what they hold over the limit."""
        rows: list[Any] = []
        held_bytes = 0
        with trouble(self.folder), closing(self._connection.execute(sql, values)) as found:
            for row in found:
                rows.append(row)
                held_bytes += sum([len(each) for each in row if isinstance(each, bytes | str)])
                if held_bytes > limit_bytes:
                    break
        return rows

    def _inflated(self, match: object, blob: object) -> bytes:
        if not isinstance(blob, bytes):
            raise self._damaged(match, "its record is not packed")
        try:
            return inflated(blob)
        except (zlib.error, TooLargeError) as error:
            raise self._damaged(match, f"its record is damaged: {error}") from None

    def _object(self, match: object, text: bytes) -> dict[str, Any]:
        try:
            value = parse_json(text)
        except ValueError as error:
            raise self._damaged(match, f"its record is no JSON: {error}") from None
        if not isinstance(value, dict):
            raise self._damaged(match, "its record is no JSON object")
        return value

    def _damaged(self, match: object, what: str) -> StoreError:
        return StoreError(
            what, where=f"{self.folder / DATABASE} match {str(match)[:40]}", mend=_RESTORE
        )


_RESTORE = "restore the folder from a copy"


def _row(played: Played) -> tuple[object, ...]:
    bots, ranks, packed = _listed(played.bots), _listed(played.ranks), played.packed
    return played.number, played.match, bots, ranks, packed.record, packed.brief


def _listed(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _read_list(text: object) -> tuple[int, ...]:
    """The numbers of a column; a field that nobody has for what is none."""
    try:
        return tuple(map(int, str(text).split()))
    except ValueError:
        return (-1,)
