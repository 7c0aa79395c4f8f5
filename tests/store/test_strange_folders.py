"""A run folder may come from anybody: it is read within limits, and nothing in it is run."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import zlib
from pathlib import Path

import orjson
import pytest

from arena.errors import StoreError
from arena.store import Played, RunStore, packed
from arena.store.database import DATABASE

FIVE_MATCHES = range(5)
HEADER = {
    "seed": "7",
    "bots": [{"bot": bot, "version": "1", "digest": "0"} for bot in "abcd"],
    "schedule": "round-robin",
    "segments": [{"bots": 4, "orbits": 10}],
    "limits": {},
}
ENDLESS = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t)"


@pytest.fixture
def folder(tmp_path) -> Path:
    with RunStore.create(tmp_path / "run", HEADER) as store:
        for number in FIVE_MATCHES:
            record = orjson.dumps({"match": f"m{number}"})
            four = (0, 1, 2, 3)
            store.add([Played(number, f"m{number}", four, (1, 2, 3, 4), packed(record, record))])
    return tmp_path / "run"


def change(folder: Path, *statements: str, **values: object) -> None:
    connection = sqlite3.connect(folder / DATABASE)
    with connection:
        for statement in statements:
            connection.execute(statement, values)
    connection.close()


def arena(*words: object, memory_mb: int = 700) -> tuple[int, str, str]:
    """The command in a process of its own that may hold so much: its status and what it said."""
    done = subprocess.run(
        ["prlimit", f"--data={memory_mb << 20}", sys.executable, "-m", "arena", *map(str, words)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def reads(folder: Path, tmp_path: Path) -> list[tuple[object, ...]]:
    """Every command that reads a stranger's run folder."""
    pages = tmp_path / "pages"
    return [
        ("board", folder),
        ("verify", folder),
        ("export", folder),
        ("site", folder, "--out", pages),
        ("replay", folder, "m2"),
        ("decide", folder, "m2", "--bot", "random", "--deal", "1"),
    ]


def test_a_record_that_unpacks_to_gigabytes_is_named_and_takes_no_memory(folder, tmp_path):
    unpacked = zlib.compressobj(9)
    bomb = b"".join(unpacked.compress(bytes(1 << 20)) for _ in range(1 << 10)) + unpacked.flush()
    change(folder, "UPDATE matches SET record = :b, brief = :b WHERE number = 2", b=bomb)
    for words in reads(folder, tmp_path):
        status, _, told = arena(*words)
        assert (status, told.count("\n")) == (2, 1), told
        assert f"{folder}/run.sqlite match m2: its record is damaged: unpacks to more than" in told


def test_a_short_record_that_stands_for_many_objects_takes_no_memory(folder):
    bomb = zlib.compress(b"[" + b"{}," * 20_000_000 + b"{}]")
    change(folder, "UPDATE matches SET record = :b, brief = :b WHERE number = 2", b=bomb)
    status, _, told = arena("board", folder)
    assert (status, told.count("\n")) == (2, 1)
    assert "match m2: its record is no JSON: holds more than 8,000,000 values" in told


@pytest.mark.parametrize("text", [b"{no json", b"[1]", b"", b"\xff", b"[" * 100_000])
def test_what_is_no_record_in_a_sound_database_is_one_line(folder, text):
    blob = zlib.compress(text)
    change(folder, "UPDATE matches SET record = :b, brief = :b WHERE number = 2", b=blob)
    with RunStore.read(folder) as store:
        for read in (store.records, store.briefs, store.lines):
            with pytest.raises(StoreError, match=r"run\.sqlite match m2: its record is no JSON"):
                list(read())
        with pytest.raises(StoreError, match="match m2"):
            store.record("m2")


@pytest.mark.parametrize("value", ["text", 7, b"not packed", zlib.compress(b"{}")[:-3]])
def test_what_is_not_packed_is_one_line(folder, value):
    change(folder, "UPDATE matches SET record = :v WHERE number = 2", v=value)
    with RunStore.read(folder) as store, pytest.raises(StoreError, match="match m2: its record is"):
        list(store.records())


@pytest.mark.parametrize("value", ["{no json", b"\xff", 7])
def test_a_header_that_is_no_json_is_one_line(folder, value):
    change(folder, "INSERT OR REPLACE INTO header VALUES ('bots', :v)", v=value)
    with RunStore.read(folder) as store:
        if value == 7:
            assert store.header()["bots"] == 7  # a column of text makes it one
        else:
            with pytest.raises(StoreError, match="header is damaged: 'bots'"):
                store.header()


VIEWS = {
    "matches": f"CREATE VIEW matches AS {ENDLESS} SELECT n AS number, '' AS match, '' AS bots, "
    "'' AS ranks, x'' AS record, x'' AS brief FROM t",
    "header": f"CREATE VIEW header AS {ENDLESS} SELECT n AS key, n AS value FROM t",
}


@pytest.mark.parametrize("table", VIEWS)
def test_a_view_that_never_ends_in_the_place_of_a_table_is_refused(folder, tmp_path, table):
    change(folder, f"DROP TABLE {table}", VIEWS[table])
    for words in reads(folder, tmp_path):
        status, _, told = arena(*words)
        assert (status, told.count("\n")) == (2, 1), told
        assert f"view '{table}' is not as a run has it" in told


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TRIGGER evil AFTER INSERT ON header BEGIN DELETE FROM matches; END",
        "CREATE VIEW evil AS SELECT 1",
        "CREATE TABLE evil (x)",
        "CREATE INDEX evil ON matches (hex(record))",
        "ALTER TABLE matches ADD COLUMN evil AS (hex(zeroblob(1000000000)))",
    ],
)
def test_what_no_run_has_in_its_database_is_refused_and_never_run(folder, sql):
    change(folder, sql)
    before = (folder / DATABASE).read_bytes()
    for door in (RunStore.read, RunStore.open):
        with pytest.raises(StoreError, match="is not as a run has it"), door(folder):
            pass
    assert (folder / DATABASE).read_bytes() == before


def test_the_database_of_another_program_is_left_as_it_is(tmp_path):
    change(tmp_path, "CREATE TABLE notes (text)")
    before = (tmp_path / DATABASE).read_bytes()
    with pytest.raises(StoreError), RunStore.open(tmp_path):
        pass
    assert (tmp_path / DATABASE).read_bytes() == before


def test_statistics_that_sqlite_made_for_itself_are_no_offence(folder):
    change(folder, "ANALYZE")
    with RunStore.read(folder) as store:
        assert store.count() == len(FIVE_MATCHES)


def test_a_page_of_large_records_is_read_in_pieces(folder, monkeypatch):
    monkeypatch.setattr("arena.store.run_store.PAGE_BYTES", 1)
    with RunStore.read(folder) as store:
        assert [record["match"] for record in store.records()] == ["m0", "m1", "m2", "m3", "m4"]


@pytest.mark.parametrize("bots", ["a b c d", "0 1 2 99", "0 1", "-1 0 1 2"])
def test_columns_that_name_nobody_are_one_line(folder, bots):
    change(folder, "UPDATE matches SET bots = :b WHERE number = 2", b=bots)
    with RunStore.read(folder) as store, pytest.raises(StoreError, match="match m2: its bots"):
        list(store.placings(4))


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM header WHERE key = 'seed'",
        "INSERT OR REPLACE INTO header VALUES ('segments', '[]')",
        "INSERT OR REPLACE INTO header VALUES ('bots', '[5]')",
    ],
)
def test_a_run_does_not_go_on_from_a_header_that_is_no_runs(folder, sql, tmp_path):
    change(folder, sql)
    words = ("run", *("random", "counting", "c=random", "d=random"), "--unsandboxed")
    status, _, told = arena(*words, "--out", folder, memory_mb=4000)
    assert status == 2
    assert "the run's header is damaged" in told.splitlines()[-1]


def test_pages_are_made_whatever_the_header_holds(folder, tmp_path):
    record = {"match": "m", "seats": [{"bot": "a"}, {"bot": "b"}], "scores": [1, 0]}
    blob = zlib.compress(orjson.dumps(record))
    change(
        folder,
        "DELETE FROM matches WHERE number > 0",
        "UPDATE matches SET brief = NULL, record = :b",
        "INSERT OR REPLACE INTO header VALUES ('bots', '[1, 2]')",
        "INSERT OR REPLACE INTO header VALUES ('left_out', '7')",
        b=blob,
    )
    status, _, told = arena("site", folder, "--out", tmp_path / "pages")
    assert "Traceback" not in told
    assert status == 0, told
