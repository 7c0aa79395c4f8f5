"""The run folder keeps what was finished, whatever happens."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time

import orjson
import pytest

from arena.errors import StoreError
from arena.store import Played, RunStore, database, packed
from arena.store.database import DATABASE

HEADER = {"seed": "7", "bots": [{"bot": "a"}]}


def played(number: int) -> Played:
    record = {"match": f"m{number}", "scores": [number, 0, 0, 0]}
    return Played(number, f"m{number}", (0, 1, 2, 3), (1, 2, 2, 4), packed(orjson.dumps(record)))


@pytest.fixture
def folder(tmp_path):
    with RunStore.create(tmp_path / "run", HEADER) as store:
        store.add([played(2), played(0)])
    return tmp_path / "run"


def test_what_was_stored_is_read_back_in_the_order_of_the_schedule(folder):
    with RunStore.read(folder) as store:
        assert store.header() == HEADER
        assert [record["match"] for record in store.records()] == ["m0", "m2"]
        assert store.done() == {0, 2}
        assert store.record("m2")["scores"] == [2, 0, 0, 0]


def test_a_match_that_arrives_twice_counts_once(folder):
    with RunStore.open(folder) as store:
        store.add([played(2), played(3)])
        store.add([played(3)])
        assert store.count() == 3


def test_records_are_paged_without_losing_any(tmp_path):
    with RunStore.create(tmp_path, HEADER) as store:
        store.add(played(number) for number in range(1_203))
        assert [record["scores"][0] for record in store.records()] == list(range(1_203))


def test_a_void_attempt_is_noted_and_the_match_stays_to_be_played(folder):
    with RunStore.open(folder) as store:
        store.add_void(1, "the sandbox did not start")
        assert store.voids() == [(1, "the sandbox did not start")]
        assert 1 not in store.done()


def test_a_second_run_on_a_folder_is_refused(folder):
    with (
        RunStore.open(folder),
        pytest.raises(StoreError, match="another run is using this folder"),
        RunStore.open(folder),
    ):
        pass


def test_a_folder_can_be_read_while_it_is_written(folder):
    with RunStore.open(folder) as writer, RunStore.read(folder) as reader:
        writer.add([played(5)])
        assert reader.count() == 3


def test_a_run_is_not_begun_over_another(folder):
    with (
        pytest.raises(StoreError, match="there is a run in this folder already"),
        RunStore.create(folder, HEADER),
    ):
        pass


def test_a_folder_without_a_run_says_how_one_is_made(tmp_path):
    with pytest.raises(StoreError, match="arena run"), RunStore.read(tmp_path):
        pass


def test_a_damaged_database_is_one_clear_error(folder):
    (folder / DATABASE).write_bytes(b"no database at all, and longer than a header" * 50)
    with pytest.raises(StoreError, match="damaged"), RunStore.read(folder) as store:
        store.count()


def test_a_folder_of_another_format_says_so(folder):
    connection = sqlite3.connect(folder / DATABASE)
    with connection:
        connection.execute("UPDATE header SET value = '999' WHERE key = 'schema'")
    connection.close()
    with pytest.raises(StoreError, match="format 999"), RunStore.read(folder):
        pass


def test_a_folder_of_an_older_format_is_brought_up_to_date_when_the_run_goes_on(
    folder, monkeypatch
):
    newer = (*database.MIGRATIONS, "CREATE TABLE more (what TEXT)")
    monkeypatch.setattr(database, "MIGRATIONS", newer)
    with pytest.raises(StoreError, match="arena run"), RunStore.read(folder):
        pass
    with RunStore.open(folder) as store:
        assert store.done() == {0, 2}
    with RunStore.read(folder) as store:
        assert store.header() == HEADER


def test_placings_are_read_without_the_records(folder):
    with RunStore.read(folder) as store:
        assert list(store.placings(4)) == [((0, 1, 2, 3), (1, 2, 2, 4))] * 2


def test_a_brief_stands_for_the_record_where_there_is_one(folder):
    with RunStore.open(folder) as store:
        record = orjson.dumps({"match": "m7", "cards": "many"})
        brief = orjson.dumps({"match": "m7"})
        store.add([Played(7, "m7", (0, 1, 2, 3), (1, 2, 3, 4), packed(record, brief))])
        assert [found["match"] for found in store.briefs()] == ["m0", "m2", "m7"]
        assert "cards" not in list(store.briefs())[-1]
        assert store.record("m7")["cards"] == "many"
        store.mark_void("m7", "withdrawn")
        assert list(store.briefs())[-1]["void"] == "withdrawn"


def test_a_match_can_be_marked_void_and_is_kept(folder):
    with RunStore.open(folder) as store:
        store.mark_void("m2", "withdrawn")
        assert store.record("m2")["void"] == "withdrawn"
        assert "void" not in store.record("m0")
        assert store.count() == 2


def test_a_full_disk_is_one_clear_error_and_loses_nothing(tmp_path):
    program = textwrap.dedent(
        """
        import itertools, os, orjson, subprocess, sys
        from pathlib import Path
        from arena.errors import StoreError
        from arena.store import Played, RunStore, packed
        disk = Path(sys.argv[1])
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", disk], check=True)
        try:
            with RunStore.create(disk / "run", {"seed": "7"}) as store:
                for n in itertools.count():
                    noise = packed(orjson.dumps({"noise": os.urandom(9_000).hex()}))
                    store.add([Played(n, f"m{n}", (0, 1, 2, 3), (1, 2, 3, 4), noise)])
        except StoreError as error:
            print(n, error)
        with RunStore.read(disk / "run") as store:
            print(store.count(), len(list(store.lines())))
        """
    )
    done = subprocess.run(
        [
            "unshare",
            "--user",
            "--map-root-user",
            "--mount",
            sys.executable,
            "-c",
            program,
            tmp_path,
        ],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    assert done.stderr == ""
    complaint, counts = done.stdout.splitlines()
    stored = complaint.split()[0]
    assert "full" in complaint
    assert "nothing finished is lost" in complaint
    assert int(stored) > 10
    assert counts == f"{stored} {stored}"


def test_a_folder_that_cannot_be_written_says_so(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with (
        pytest.raises(StoreError, match="file"),
        RunStore.create(tmp_path / "file" / "run", HEADER),
    ):
        pass


def test_an_unknown_match_is_named(folder):
    with RunStore.read(folder) as store, pytest.raises(StoreError, match="'m9'"):
        store.record("m9")


def test_a_killed_writer_leaves_every_match_whole_or_absent(tmp_path):
    program = textwrap.dedent(
        """
        import itertools, sys, orjson
        from pathlib import Path
        from arena.store import Played, RunStore, packed
        with RunStore.create(Path(sys.argv[1]), {"seed": "7"}) as store:
            print("ready", flush=True)
            for n in itertools.count():
                record = orjson.dumps({"match": f"m{n}", "scores": [n, 0, 0, 0]})
                store.add([Played(n, f"m{n}", (0, 1, 2, 3), (1, 2, 3, 4), packed(record))])
        """
    )
    for attempt in range(5):
        folder = tmp_path / str(attempt)
        writer = subprocess.Popen(
            [sys.executable, "-c", program, str(folder)],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        with writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            time.sleep(0.02 * (attempt + 1))
            writer.send_signal(signal.SIGKILL)
        with RunStore.open(folder) as store:
            numbers = [record["scores"][0] for record in store.records()]
            assert numbers == list(range(len(numbers)))
            store.add([played(len(numbers))])
