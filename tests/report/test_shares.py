"""Several processes find in a large source what one finds."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from arena.report import shares
from arena.report.matches import Matches
from arena.report.record_source import read_any
from arena.report.shares import Share, gather_from, gather_share, shares_of
from arena.store import Played, RunStore, packed

SEVEN = [f"bot-{number}" for number in range(7)]


def a_record(number: int, chance: random.Random) -> dict:
    """A record of one of several shapes, as different programs would write them."""
    bots = chance.sample(SEVEN[: 4 + number // 20], 4)
    record = {
        "match": str(number),
        "seats": [{"bot": bot, "version": "1", "digest": bot * 3} for bot in bots],
        "scores": [chance.randrange(-9, 9) for _ in bots],
    }
    if number % 3:
        record["set"] = f"set {number // 4}"
    if number % 5:
        record["deals"] = [
            {"dealer": dealer, "calls": [2, 3, 4, 2], "points": [2, -3, 4.1, 2]}
            for dealer in range(3)
        ]
        record["timing"] = [{"decisions": 42, "total_ms": 3.5}] * 4
    if number % 7 == 0:
        record["faults"] = [{"seat": 2, "deal": 2, "kind": "timeout"}]
    if number % 11 == 0:
        record["void"] = "the host was busy"
    return record


@pytest.fixture
def records() -> list[dict]:
    chance = random.Random(1)
    return [a_record(number, chance) for number in range(200)]


@pytest.fixture
def file(tmp_path: Path, records: list[dict]) -> Path:
    path = tmp_path / "records.jsonl"
    path.write_text("\n".join(["\ufeff" + json.dumps(records[0]), *map(json.dumps, records[1:])]))
    return path


@pytest.fixture
def run(tmp_path: Path, records: list[dict]) -> Path:
    played = [
        Played(
            3 * n, record["match"], (0, 1, 2, 3), (1, 1, 1, 1), packed(json.dumps(record).encode())
        )
        for n, record in enumerate(records)
    ]
    with RunStore.create(tmp_path / "run", {}) as store:
        store.add(played)
    return tmp_path / "run"


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares, "SHARE_BYTES", 1)
    monkeypatch.setattr(shares, "SHARE_MATCHES", 1)


def at_once(path: Path) -> Matches:
    matches = Matches()
    matches.gather(read_any(path))
    return matches


def content(matches: Matches) -> tuple:
    """All that a board is made from."""
    deals = [list(getattr(matches.deals, name)) for name in matches.deals.__slots__]
    return (list(matches.ids), matches.played, matches.conduct, deals, matches.sets, matches.void)


@pytest.mark.parametrize("source", ["file", "run"])
@pytest.mark.parametrize("most", [1, 2, 3, 7, 150, 1000])
def test_what_is_found_in_shares_and_joined_is_what_is_found_at_once(source, most, request):
    path = request.getfixturevalue(source)
    joined = Matches()
    for share in shares_of(path, most):
        joined.join(gather_share(share))
    assert content(joined) == content(at_once(path))


def test_shares_of_a_file_end_where_lines_end(file):
    data = file.read_bytes()
    cut = shares_of(file, 7)
    assert len(cut) == 7
    assert b"".join(data[share.start : share.stop] for share in cut) == data
    assert all(data[share.start - 1] == ord("\n") for share in cut[1:])


def test_a_small_source_is_one_share(file, monkeypatch):
    monkeypatch.setattr(shares, "SHARE_BYTES", 10**9)
    assert shares_of(file, 8) == [Share(file, 0, file.stat().st_size)]


def test_processes_are_not_noticed(file):
    matches = Matches()
    gather_from(file, matches, processes=3)
    assert content(matches) == content(at_once(file))


def test_a_bad_line_is_told_by_its_number_in_the_whole_file(file):
    lines = file.read_text().splitlines()
    lines[150] = "\ufeff" + lines[150]
    file.write_text("\n".join(lines))
    matches = Matches()
    gather_from(file, matches, processes=3)
    assert [bad.where for bad in matches.bad] == [f"{file} line 151"]
    assert content(matches) == content(at_once(file))


def test_a_match_that_stands_twice_is_told_by_its_second_line(file):
    lines = file.read_text().splitlines()
    file.write_text("\n".join([*lines, lines[3]]))
    matches = Matches()
    gather_from(file, matches, processes=3)
    assert [bad.where for bad in matches.bad] == [f"{file} line 201"]
    assert len(matches.played) == len(at_once(file).played)


def test_a_source_given_twice_counts_once(file, run):
    for source in (file, run):
        matches = Matches()
        for _ in range(2):
            gather_from(source, matches, processes=3)
        assert content(matches)[1] == content(at_once(source))[1]
        assert len(matches.bad) == len(matches.played)


def test_what_cannot_be_read_is_left_to_the_reader(tmp_path):
    assert shares_of(tmp_path / "missing", 4) == ()
    assert shares_of(tmp_path, 4) == ()
