"""The run folder: what a tournament has played so far, in SQLite, written by one process.

Theory of operation. A run folder holds `run.sqlite` (this file's business), `run.lock` and whatever
reports are written beside them. The writer holds an exclusive lock on `run.lock` for as long as it
lives, so a second run on the folder is refused and a killed one leaves nothing to clean up. The
database is in WAL mode and a batch of finished matches is one transaction: after kill -9 at any
instant a match is there whole or not at all, and the runner plays the missing ones again. Records
are stored as zlib-compressed JSON, keyed by their number in the schedule, which is also the order
in which they are read back: the export does not depend on which worker was faster.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from arena.errors import StoreError

DATABASE = "run.sqlite"
LOCK = "run.lock"

MIGRATIONS = (
    """
    CREATE TABLE header (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE matches (
        number INTEGER PRIMARY KEY,
        match TEXT NOT NULL UNIQUE,
        bots TEXT NOT NULL,
        ranks TEXT NOT NULL,
        record BLOB NOT NULL
    );
    CREATE TABLE voids (id INTEGER PRIMARY KEY, number INTEGER NOT NULL, reason TEXT NOT NULL);
    """,
    # A board reads every match and no card: with a brief beside the record it does so five times
    # as fast. Matches stored before have none, and are read whole.
    "ALTER TABLE matches ADD COLUMN brief BLOB;",
)
"""Script k brings a run folder of format k to format k + 1; a new folder takes them all."""

# Read by the page, so that a reader holds no transaction open and a long run's memory stays flat.
PAGE_ROWS = 500


@dataclass(frozen=True, slots=True)
class Played:
    """A finished match on its way into the store; `record` is its JSON.

    `bots` are indices into the run's bots, and `ranks` by seat: enough for a standing, so that one
    can be had without reading every record. `brief` is the record without its cards, as JSON.
    """

    number: int
    match: str
    bots: tuple[int, ...]
    ranks: tuple[int, ...]
    record: bytes
    brief: bytes | None = None


class Numbers(Set[int]):
    """A set of numbers from 0 upwards, one bit each: ten million of them take 1.25 MB."""

    def __init__(self, numbers: Iterable[int]) -> None:
        self._bits = bytearray()
        self._count = 0
        for number in numbers:
            self._add(number)

    def _add(self, number: int) -> None:
        place, bit = number >> 3, 1 << (number & 7)
        if place >= len(self._bits):
            self._bits.extend(bytes(place + 1 - len(self._bits)))
        self._count += not self._bits[place] & bit
        self._bits[place] |= bit

    def __contains__(self, number: object) -> bool:
        if not isinstance(number, int) or not 0 <= number >> 3 < len(self._bits):
            return False
        return bool(self._bits[number >> 3] & 1 << (number & 7))

    def __iter__(self) -> Iterator[int]:
        return (number for number in range(8 * len(self._bits)) if number in self)

    def __len__(self) -> int:
        return self._count


class RunStore:
    """An open run folder. Use `create`, `open` or `read`, as context managers."""

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self._connection = connection

    @classmethod
    @contextmanager
    def create(cls, folder: Path, header: Mapping[str, Any]) -> Iterator[RunStore]:
        """A new run folder, held by this process. Raises StoreError if there is a run in it."""
        with _trouble(folder):
            folder.mkdir(parents=True, exist_ok=True)
        with _locked(folder):
            if cls.is_run(folder):
                raise StoreError("there is a run in this folder already", where=str(folder))
            with _trouble(folder):
                _initialise(folder, header)
            with _connected(folder) as connection:
                yield cls(folder, connection)

    @classmethod
    @contextmanager
    def open(cls, folder: Path) -> Iterator[RunStore]:
        """An existing run folder, held by this process, to go on writing."""
        with _locked(folder), _connected(folder) as connection:
            yield cls(folder, connection)

    @classmethod
    @contextmanager
    def read(cls, folder: Path) -> Iterator[RunStore]:
        """An existing run folder, to read; another process may be writing it."""
        with _connected(folder, read_only=True) as connection:
            yield cls(folder, connection)

    @staticmethod
    def is_run(folder: Path) -> bool:
        """True if there is a run in this folder."""
        return (folder / DATABASE).is_file()

    def header(self) -> dict[str, Any]:
        """What the run was started with, JSON-ready."""
        rows = self._all("SELECT key, value FROM header")
        return {key: orjson.loads(value) for key, value in rows if key != "schema"}

    def set_header(self, values: Mapping[str, Any]) -> None:
        """Changes some keys of the header."""
        with _trouble(self.folder), self._connection:
            self._connection.executemany(
                "INSERT OR REPLACE INTO header VALUES (?, ?)", _header_rows(values)
            )

    def add(self, played: Iterable[Played]) -> None:
        """Stores a batch in one transaction. A match that is there already is left as it is."""
        rows = [_row(each) for each in played]
        with _trouble(self.folder), self._connection:
            self._connection.executemany(
                "INSERT OR IGNORE INTO matches VALUES (?, ?, ?, ?, ?, ?)", rows
            )

    def add_void(self, number: int, reason: str) -> None:
        """Notes an attempt that ended through no bot's fault; the match stays to be played."""
        with _trouble(self.folder), self._connection:
            self._connection.execute(
                "INSERT INTO voids (number, reason) VALUES (?, ?)", (number, reason)
            )

    def mark_void(self, match: str, reason: str) -> None:
        """A finished match counts no more: its record says why, under `void`, and is kept."""
        record = {**self.record(match), "void": reason}
        blob = zlib.compress(orjson.dumps(record), 6)
        with _trouble(self.folder), self._connection:
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
        with _trouble(self.folder):
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

    def briefs(self) -> Iterator[dict[str, Any]]:
        """Every record in the order of the schedule, without its cards where they can be spared."""
        for (blob,) in self._pages("coalesce(brief, record)"):
            yield orjson.loads(self._inflated(blob))

    def lines(self) -> Iterator[bytes]:
        """Every record as a line of JSON (no line feed), in the order of the schedule."""
        for (blob,) in self._pages("record"):
            yield self._inflated(blob)

    def _pages(self, columns: str) -> Iterator[tuple[Any, ...]]:
        """The columns of every match, read page by page."""
        last = -1
        sql = f"SELECT number, {columns} FROM matches WHERE number > ? ORDER BY number LIMIT ?"
        while rows := self._all(sql, (last, PAGE_ROWS)):
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
        with _trouble(self.folder):
            return self._connection.execute(sql, values).fetchall()

    def _inflated(self, blob: bytes) -> bytes:
        with _trouble(self.folder):
            return zlib.decompress(blob)


def _row(played: Played) -> tuple[object, ...]:
    brief = None if played.brief is None else zlib.compress(played.brief, 1)
    record = zlib.compress(played.record)
    return played.number, played.match, _listed(played.bots), _listed(played.ranks), record, brief


def _listed(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _read_list(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


def _header_rows(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(key, orjson.dumps(value).decode()) for key, value in values.items()]


def _initialise(folder: Path, header: Mapping[str, Any]) -> None:
    """Writes a whole database under another name first: a half-made run folder cannot be."""
    draft = folder / f"{DATABASE}.new"
    draft.unlink(missing_ok=True)
    connection = sqlite3.connect(draft)
    try:
        _migrate(connection, 0)
        with connection:
            connection.executemany("INSERT INTO header VALUES (?, ?)", _header_rows(header))
    finally:
        connection.close()
    os.replace(draft, folder / DATABASE)


def _migrate(connection: sqlite3.Connection, version: int) -> None:
    """Brings a database to the newest format, one transaction a step."""
    for step, script in enumerate(MIGRATIONS[version:], version + 1):
        connection.executescript(
            f"BEGIN; {script}; INSERT OR REPLACE INTO header VALUES ('schema', '{step}'); COMMIT;"
        )


@contextmanager
def _connected(folder: Path, *, read_only: bool = False) -> Iterator[sqlite3.Connection]:
    if not RunStore.is_run(folder):
        raise StoreError(
            "this is not a run folder", where=str(folder), mend="`arena run … --out DIR` makes one"
        )
    with _trouble(folder):
        connection = _connect(folder, read_only)
    try:
        with _trouble(folder):
            _bring_up_to_date(folder, connection, read_only)
        yield connection
    finally:
        connection.close()


def _connect(folder: Path, read_only: bool) -> sqlite3.Connection:
    database = (folder / DATABASE).absolute().as_uri()
    if not read_only:
        connection = sqlite3.connect(f"{database}?mode=rw", uri=True, timeout=10)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        return connection
    # A WAL database wants to write beside itself even to be read. Where that is impossible and
    # nobody left a log, the file itself is whole and cannot change under us.
    lone = not os.access(folder, os.W_OK) and not (folder / f"{DATABASE}-wal").exists()
    mode = "immutable=1" if lone else "mode=ro"
    return sqlite3.connect(f"{database}?{mode}", uri=True, timeout=10)


def _bring_up_to_date(folder: Path, connection: sqlite3.Connection, read_only: bool) -> None:
    row = connection.execute("SELECT value FROM header WHERE key = 'schema'").fetchone()
    found = int(row[0]) if row and str(row[0]).isdigit() else 0
    if found == len(MIGRATIONS):
        return
    if not 1 <= found < len(MIGRATIONS):
        raise StoreError(
            f"this run folder has format {found}, this arena knows formats 1 to {len(MIGRATIONS)}",
            where=str(folder),
            mend="use the version of arena that made it, or export its records with that version",
        )
    if read_only:
        raise StoreError(
            f"this run folder has format {found}, this arena reads format {len(MIGRATIONS)}",
            where=str(folder),
            mend="go on with the run once (`arena run`): that brings the folder up to date",
        )
    _migrate(connection, found)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    with _trouble(folder):
        descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreError(
                "another run is using this folder",
                where=str(folder),
                mend="wait for it to end, stop it, or choose another --out",
            ) from None
        yield
    finally:
        os.close(descriptor)


@contextmanager
def _trouble(folder: Path) -> Iterator[None]:
    """Turns what disks and databases raise into one line that says how to mend it."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(
            f"the run's database cannot be used: {error}", where=str(folder), mend=_mend(error)
        ) from error
    except zlib.error as error:
        raise StoreError(f"a stored record is damaged: {error}", where=str(folder)) from error
    except OSError as error:
        raise StoreError(
            f"the run folder cannot be used: {error.strerror or error}", where=str(folder)
        ) from error


def _mend(error: sqlite3.Error) -> str:
    text = str(error)
    if "full" in text:
        return "free some disk space and start the same command again; nothing finished is lost"
    if "readonly" in text or "unable to open" in text:
        return "make the folder writable, or choose another --out"
    if "malformed" in text or "not a database" in text:
        return "the file is damaged: restore it from a copy, or start in another folder"
    return "start the same command again; nothing finished is lost"
