"""The run folder's database and lock: made whole, brought up to date, held by one writer."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import orjson

from arena.errors import StoreError
from arena.store.guard import refuse_foreign_schema, refuse_foreign_table, shut

DATABASE = "run.sqlite"
LOCK = "run.lock"

_DRAFT = f"{DATABASE}.new"
_OURS = (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", f"{DATABASE}-journal", LOCK, _DRAFT)
_MAGIC = b"SQLite format 3\0"

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


def is_run(folder: Path) -> bool:
    """True if there is a run in this folder."""
    return (folder / DATABASE).is_file()


def refuse_foreign(folder: Path, leaves: Iterable[str] = ()) -> None:
    """Raises StoreError if a new run in the folder would replace a file there that it `leaves`.

    A run folder has been ours from its first match on: a run that goes on replaces its own files.
    """
    if is_run(folder):
        return
    names = [name for name in leaves if os.path.lexists(folder / name)]
    if not _is_half_made(folder / _DRAFT):
        names.append(_DRAFT)
    if names:
        raise StoreError(
            "is there already, and a run would replace it",
            where=str(folder / names[0]),
            mend="choose another --out, or move it away",
        )


def refuse_part_of_run(path: Path) -> None:
    """Raises StoreError if the file is one in which a run is kept: nothing else goes into it."""
    place = Path(os.path.realpath(path))
    if place.name in _OURS and is_run(place.parent):
        raise StoreError(
            "a run is kept in this file, and would be lost",
            where=str(path),
            mend="choose another file",
        )


def header_rows(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Keys and values of a header as the database holds them."""
    return [(key, orjson.dumps(value).decode()) for key, value in values.items()]


def initialise(folder: Path, header: Mapping[str, Any]) -> None:
    """Writes a whole database under another name first: a half-made run folder cannot be."""
    refuse_foreign(folder)
    draft = folder / _DRAFT
    draft.unlink(missing_ok=True)
    connection = sqlite3.connect(draft)
    try:
        _migrate(connection, 0)
        with connection:
            connection.executemany("INSERT INTO header VALUES (?, ?)", header_rows(header))
    finally:
        connection.close()
    os.replace(draft, folder / DATABASE)


def _is_half_made(draft: Path) -> bool:
    """True if nothing is there but what a process left that was killed while it made a run."""
    if not os.path.lexists(draft):
        return True
    if draft.is_symlink() or not draft.is_file():
        return False
    with draft.open("rb") as file:
        return file.read(len(_MAGIC)) in (b"", _MAGIC)


def _migrate(connection: sqlite3.Connection, version: int) -> None:
    """Brings a database to the newest format, one transaction a step."""
    for step, script in enumerate(MIGRATIONS[version:], version + 1):
        connection.executescript(
            f"BEGIN; {script}; INSERT OR REPLACE INTO header VALUES ('schema', '{step}'); COMMIT;"
        )


@contextmanager
def connected(folder: Path, *, read_only: bool = False) -> Iterator[sqlite3.Connection]:
    """An open database in the newest format. Raises StoreError if there is none or a newer one."""
    if not is_run(folder):
        raise StoreError(
            "this is not a run folder", where=str(folder), mend="`arena run … --out DIR` makes one"
        )
    with trouble(folder):
        connection = _connect(folder, read_only)
    try:
        with trouble(folder):
            shut(connection)
            _bring_up_to_date(folder, connection, read_only)
        yield connection
    finally:
        connection.close()


def _connect(folder: Path, read_only: bool) -> sqlite3.Connection:
    database = (folder / DATABASE).absolute().as_uri()
    if not read_only:
        return sqlite3.connect(f"{database}?mode=rw", uri=True, timeout=10)
    # A WAL database wants to write beside itself even to be read. Where that is impossible and
    # nobody left a log, the file itself is whole and cannot change under us.
    lone = not os.access(folder, os.W_OK) and not (folder / f"{DATABASE}-wal").exists()
    mode = "immutable=1" if lone else "mode=ro"
    return sqlite3.connect(f"{database}?{mode}", uri=True, timeout=10)


def _bring_up_to_date(folder: Path, connection: sqlite3.Connection, read_only: bool) -> None:
    # Nothing is changed, and nothing but its own list of tables read, before it is known as ours.
    refuse_foreign_table(connection, folder, "header")
    row = connection.execute("SELECT value FROM header WHERE key = 'schema'").fetchone()
    text = str(row[0]) if row else ""
    found = int(text) if text.isdecimal() and len(text) < 6 else 0
    if 1 <= found <= len(MIGRATIONS):
        refuse_foreign_schema(connection, folder, MIGRATIONS[:found])
    else:
        raise StoreError(
            f"this run folder has format {found}, this arena knows formats 1 to {len(MIGRATIONS)}",
            where=str(folder),
            mend="use the version of arena that made it, or export its records with that version",
        )
    if not read_only:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        _migrate(connection, found)
    elif found < len(MIGRATIONS):
        raise StoreError(
            f"this run folder has format {found}, this arena reads format {len(MIGRATIONS)}",
            where=str(folder),
            mend="go on with the run once (`arena run`): that brings the folder up to date",
        )


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """This process alone writes into the folder. Raises StoreError if another one does."""
    with trouble(folder):
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
        except OSError as error:
            raise _without_locks(folder, error) from None
        yield
    finally:
        os.close(descriptor)


def _without_locks(folder: Path, error: OSError) -> StoreError:
    return StoreError(
        f"{_file_system(folder)} has no locks: {error.strerror or error}",
        where=str(folder),
        mend="choose an --out on a local disk, or mount it with locks",
    )


def _refusal_of_locks(folder: Path) -> OSError | None:
    """What the file system says to a lock of the kind that SQLite takes; None if it gives them.

    Tried on the lock file: a database that is closed after this would lose the locks on its own.
    """
    try:
        with (folder / LOCK).open("rb") as file:
            fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except (BlockingIOError, FileNotFoundError, PermissionError):
        return None
    except OSError as error:
        return error
    return None


def _file_system(folder: Path) -> str:
    """The file system of a folder in words, with its kind where the system tells it."""
    best, kind = "", ""
    with suppress(OSError):
        for line in Path("/proc/self/mountinfo").read_text().splitlines():
            before, _, after = line.partition(" - ")
            point = before.split()[4]
            if len(point) >= len(best) and folder.resolve().is_relative_to(point):
                best, kind = point, after.split()[0]
    return f"the {kind} file system at {best}" if kind else "this file system"


@contextmanager
def trouble(folder: Path) -> Iterator[None]:
    """Turns what disks and databases raise into one line that says how to mend it."""
    try:
        yield
    except sqlite3.Error as error:
        if (refusal := _refusal_of_locks(folder)) is not None:
            raise _without_locks(folder, refusal) from error
        raise StoreError(
            f"the run's database cannot be used: {error}", where=str(folder), mend=_mend(error)
        ) from error
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
