"""A run's database may come from anybody: nothing in it is run, and nothing but tables is read.

Theory of operation. SQL that is stored in a database is run by whoever uses it: a view in the place
of a table can recurse for ever, a trigger can change what is written. A run has neither, so a
database is used only if it was made by the scripts that make ours, statement for statement: these
are kept in the table `sqlite_master`, which is no view whatever stands in it. Functions that stored
SQL could call are switched off besides, and no value is longer than the longest record.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from arena.bounded import RECORD_LIMIT_BYTES
from arena.errors import StoreError

_DEFENSIVE = getattr(sqlite3, "SQLITE_DBCONFIG_DEFENSIVE", None)  # Python 3.12 brings it
_OF_SQLITE = "sqlite_"
"""What SQLite makes for itself begins so: indices of keys, statistics."""


def shut(connection: sqlite3.Connection) -> None:
    """Stored SQL can call no function that does anything, and no value is too long to be held."""
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, RECORD_LIMIT_BYTES)
    if _DEFENSIVE is not None:
        connection.setconfig(_DEFENSIVE, True)  # type: ignore[attr-defined,unused-ignore]


def refuse_foreign_table(connection: sqlite3.Connection, folder: Path, name: str) -> None:
    """Raises StoreError if there is something of that name, and it is not a table."""
    rows = connection.execute(
        "SELECT type, sql FROM sqlite_master WHERE lower(name) = ?", (name,)
    ).fetchall()
    for kind, sql in rows:
        if kind != "table" or not _bare(sql).startswith(_bare(f"CREATE TABLE {name} (")):
            raise _foreign(folder, name, str(kind))


def refuse_foreign_schema(
    connection: sqlite3.Connection, folder: Path, scripts: Sequence[str]
) -> None:
    """Raises StoreError if the database is not what these scripts make, object for object."""
    ours = sqlite3.connect(":memory:")
    try:
        for script in scripts:
            ours.executescript(script)
        wanted = _objects(ours)
    finally:
        ours.close()
    found = _objects(connection)
    for name in sorted({*wanted, *found}):
        if found.get(name) != wanted.get(name):
            raise _foreign(folder, name, found[name][0] if name in found else "missing table")


def _objects(connection: sqlite3.Connection) -> dict[str, tuple[str, str]]:
    """Everything that the database is made of, by name: what it is, and its SQL without spaces."""
    rows = connection.execute("SELECT name, type, sql FROM sqlite_master")
    return {
        str(name): (str(kind), _bare(sql))
        for name, kind, sql in rows
        if not (str(name).startswith(_OF_SQLITE) and kind in ("index", "table"))
    }


def _bare(sql: object) -> str:
    return "".join(str(sql).split()).lower()


def _foreign(folder: Path, name: str, kind: str) -> StoreError:
    return StoreError(
        f"this is no run's database: {kind[:20]} {name[:40]!r} is not as a run has it",
        where=str(folder),
        mend="name a folder that `arena run` has made, or ask its owner for an export",
    )
