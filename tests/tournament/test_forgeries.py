"""`arena verify` names every forgery that was played on a real run, and passes genuine runs."""

from __future__ import annotations

import json
import shutil
import sqlite3
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from arena.cli.verify import register
from arena.records import brief_of
from arena.tournament.runner import Stop
from tests.tournament.played import BOTS, Heard, make, play

CRASHER = "import sys\nsys.stdin.readline()\nsys.exit(3)\n"
OPEN = {"sandbox": {"name": "none"}, "seed": "a-seed-of-forgeries"}


def verify(path: Path, *words: str) -> tuple[int, dict]:
    """The exit status of `arena verify`, and what it says."""
    app = typer.Typer()
    register(app)
    found = CliRunner().invoke(app, [str(path), "--json", *words], catch_exceptions=False)
    return found.exit_code, json.loads(found.stdout)


def said(path: Path) -> str:
    """All that `arena verify` finds in forged records."""
    status, told = verify(path)
    assert status == 1, told
    return "\n".join(f"{each['match']}: {each['what']}" for each in told["findings"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("genuine")


@pytest.fixture(scope="module")
def crasher(folder) -> str:
    bot = folder / "crasher.py"
    bot.write_text(CRASHER)
    return str(bot)


@pytest.fixture(scope="module")
def cup(manager, folder, crasher) -> Path:
    """A finished run of four bots that play and one that exits when it is greeted."""
    made = make(manager, folder / "cache", bots=[*BOTS[:4], f"crasher={crasher}"], **OPEN)
    assert play(made, folder / "cup").complete
    return folder / "cup"


@pytest.fixture(scope="module")
def withdrawn(manager, folder, crasher) -> Path:
    """A finished run whose crasher was withdrawn after its first orbit."""
    bots = [*BOTS[:4], f"crasher={crasher}"]
    file = OPEN | {"bots": bots, "run": {"withdraw_after": 1}}
    assert play(make(manager, folder / "cache", **file), folder / "withdrawn").complete
    return folder / "withdrawn"


@pytest.fixture
def forged(tmp_path) -> Callable[..., Path]:
    """Copies a run folder and runs SQL on it."""

    def forge(run: Path, *statements: str | tuple[str, tuple]) -> Path:
        copy = tmp_path / "forged"
        shutil.copytree(run, copy)
        with sqlite3.connect(copy / "run.sqlite") as database:
            for each in statements:
                database.execute(*((each,) if isinstance(each, str) else each))
        return copy

    return forge


def record_of(run: Path, number: int) -> dict:
    with sqlite3.connect(run / "run.sqlite") as database:
        rows = database.execute("SELECT record FROM matches WHERE number = ?", (number,))
        return json.loads(zlib.decompress(rows.fetchone()[0]))


def stored(number: int, record: dict) -> tuple[str, tuple]:
    """SQL that puts a record, and the brief and ranks that go with it, in the place of one."""
    packed = [zlib.compress(json.dumps(each).encode()) for each in (record, brief_of(record))]
    ranks = " ".join(map(str, record["ranks"]))
    sql = "UPDATE matches SET record = ?, brief = ?, ranks = ? WHERE number = ?"
    return sql, (*packed, ranks, number)


def quiet_match(run: Path) -> int:
    """The number of a match without a fault."""
    return next(n for n in range(10) if not record_of(run, n)["faults"])


# Genuine runs -----------------------------------------------------------------------------------


def test_a_genuine_run_with_faults_passes_and_what_cannot_be_checked_is_said(cup):
    status, told = verify(cup)
    assert (status, told["findings"], told["notes"], told["records"]) == (0, [], [], 10)
    assert any("seed" in each for each in told["unchecked"])


def test_a_genuine_run_with_a_withdrawn_bot_passes(withdrawn):
    assert verify(withdrawn)[:1] == (0,)


def test_a_run_folder_without_the_mark_that_it_is_finished_passes(cup, forged):
    assert verify(forged(cup, "DELETE FROM header WHERE key = 'finished'"))[0] == 0


def test_a_run_that_was_stopped_says_so_and_passes_and_so_does_one_gone_on_with_and_extended(
    manager, folder
):
    stop, run = Stop(), folder / "stopped"
    made = make(manager, folder / "cache", bots=BOTS, **OPEN)
    listener = Heard(then=lambda: setattr(stop, "asked", True))
    assert not play(made, run, listener, stop).complete
    status, told = verify(run)
    assert status == 0
    assert "this run is not finished" in told["notes"][0]
    assert play(made, run).complete
    longer = make(manager, folder / "cache", bots=[*BOTS, "more=random"], **OPEN)
    assert play(longer, run, extend=True).complete
    assert verify(run)[1] == {**told, "records": 22, "notes": []}


def test_the_records_of_a_genuine_run_pass_as_a_file(cup, tmp_path):
    file = tmp_path / "cup.jsonl"
    file.write_text("".join(json.dumps(record_of(cup, n)) + "\n" for n in range(10)))
    assert verify(file)[0] == 0


# Forged runs ------------------------------------------------------------------------------------


def test_a_forged_brief_is_named(cup, forged):
    brief = brief_of(record_of(cup, 3))
    brief["scores"] = [60, 0, 0, 0]
    blob = zlib.compress(json.dumps(brief).encode())
    run = forged(cup, ("UPDATE matches SET brief = ? WHERE number = 3", (blob,)))
    assert "its brief, which boards read, is not what its record says" in said(run)


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        ("UPDATE matches SET bots = '1 1 1 1' WHERE number = 2", "column `bots`"),
        ("UPDATE matches SET ranks = '1 1 1 1' WHERE number = 2", "column `ranks`"),
        ("UPDATE matches SET match = '9-9' WHERE number = 2", "stored under another name"),
        ("DELETE FROM matches WHERE number % 2", "5 of the schedule's matches are missing"),
        ("DELETE FROM matches WHERE number > 4", "5 of the schedule's matches are missing"),
        ("UPDATE matches SET number = 77 WHERE number = 2", "number 77"),
        ("INSERT INTO voids (number, reason) VALUES (99, 'x')", "void attempt at match number 99"),
        ("UPDATE header SET value = '\"another\"' WHERE key = 'seed'", "`seed`"),
        ("UPDATE header SET value = '[]' WHERE key = 'segments'", "header"),
        ("UPDATE header SET value = '\"knockout\"' WHERE key = 'schedule'", "'knockout'"),
        ("UPDATE header SET value = replace(value, 'b1', 'b9') WHERE key = 'bots'", "others sit"),
        ("UPDATE header SET value = '\"0\"' WHERE key = 'commitment'", "commitment"),
    ],
)
def test_what_the_folder_says_beside_its_records_is_compared(cup, forged, statement, complaint):
    assert complaint in said(forged(cup, statement))


def test_an_old_run_with_a_hole_is_named(cup, forged):
    drop = "DELETE FROM header WHERE key = 'finished'"
    assert "missing" in said(forged(cup, drop, "DELETE FROM matches WHERE number = 2"))


def test_swapped_seats_are_named(cup, forged):
    record = record_of(cup, 2)
    record["seats"][0], record["seats"][1] = record["seats"][1], record["seats"][0]
    assert "others sit there than the schedule seats" in said(forged(cup, stored(2, record)))


def test_a_fifth_seat_is_named(cup, forged):
    record = record_of(cup, 2)
    record["seats"].append(record["seats"][0])
    assert "names 5 seats" in said(forged(cup, stored(2, record)))


@pytest.mark.parametrize("trick", [None, 3, 13])
def test_an_invented_fault_that_retires_the_winner_is_named(cup, forged, trick):
    number = quiet_match(cup)
    record = record_of(cup, number)
    seat = record["ranks"].index(1)
    record["ranks"] = [
        4 if place == seat else sum(score <= other for other in record["scores"]) - 1
        for place, score in enumerate(record["scores"])
    ]
    deal = 1 if trick != 13 else len(record["deals"])
    fault = {"seat": seat, "kind": "illegal-action", "deal": deal, "trick": trick, "detail": "x"}
    timed = {"used_ms": 1.0} if trick != 13 else {"used_ms": 1e6}  # whose last card was forced
    record["faults"] = [fault | {"arrived": '"XX"'} | timed]
    found = said(forged(cup, stored(number, record)))
    assert ("not the fallback's action" if trick != 13 else "its slowest decision") in found


def test_a_fault_that_was_taken_away_is_named(cup, forged):
    number = next(n for n in range(10) if record_of(cup, n)["faults"])
    record = record_of(cup, number)
    record["faults"] = []
    assert f"{record['match']}: " in said(forged(cup, stored(number, record)))


def test_a_match_set_void_by_hand_is_named(cup, withdrawn, forged, tmp_path):
    number = quiet_match(cup)
    record = record_of(cup, number) | {"void": "withdrawn after 1 orbit of faults: b0"}
    assert "is marked void" in said(forged(cup, stored(number, record)))
    (tmp_path / "one.jsonl").write_text(json.dumps(record))
    assert "is marked void, and no fault in it says why" in said(tmp_path / "one.jsonl")


def test_a_void_match_counted_again_is_named(withdrawn, forged):
    number = next(n for n in range(5) if "void" in record_of(withdrawn, n))
    record = record_of(withdrawn, number)
    del record["void"]
    assert "is not marked void, and should be" in said(forged(withdrawn, stored(number, record)))


# Forged files -----------------------------------------------------------------------------------


def test_a_match_under_another_name_is_named_in_a_file(cup, tmp_path):
    record = record_of(cup, 0)
    file = tmp_path / "twice.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in (record, record | {"match": "8"})))
    assert "8: stands twice, once under another name" in said(file)


def test_other_cards_in_a_deal_set_are_named_in_a_file(cup, tmp_path):
    first, other = record_of(cup, 0), record_of(cup, 9)
    other["set"] = first["set"]
    file = tmp_path / "cards.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in (first, other)))
    assert "has other cards than the rest of its deal set" in said(file)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"kind": "illegal-action", "arrived": ""}, "nothing says which"),
        ({"kind": "timeout", "used_ms": 1.0, "limit_ms": 1000}, "timeout after 1.0 ms of 1000"),
        ({"kind": "ugly"}, "no known kind"),
        ({"deal": 99}, "a fault in deal 99"),
    ],
)
def test_a_fault_without_its_evidence_is_named_in_a_file(cup, tmp_path, change, complaint):
    number = next(n for n in range(10) if record_of(cup, n)["faults"])
    record = record_of(cup, number)
    record["faults"][0] |= change
    (tmp_path / "fault.jsonl").write_text(json.dumps(record))
    assert complaint in said(tmp_path / "fault.jsonl")


def test_rows_that_no_reader_of_the_schedule_meets_are_named(cup, forged):
    columns = "match || 'x', bots, ranks, record, brief"
    hidden = f"INSERT INTO matches SELECT -1 - number, {columns} FROM matches WHERE number < 2"
    assert "2 rows with numbers that no match can have" in said(forged(cup, hidden))
