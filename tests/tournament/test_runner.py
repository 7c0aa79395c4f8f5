"""A tournament is played whole, goes on where it stopped, and does not depend on who plays it."""

from __future__ import annotations

import multiprocessing

import orjson
import pytest

from arena.errors import ConfigError, StoreError
from arena.tournament.folder import header_of, open_run
from arena.tournament.plan import match_specs
from arena.tournament.runner import Stop
from tests.tournament.played import Heard, play, played_in


def test_every_bot_sits_once_in_every_seat_in_an_orbit_on_the_same_cards(tournament, tmp_path):
    summary = play(tournament(), tmp_path / "run")
    records = played_in(tmp_path / "run")
    assert summary.complete
    assert len(records) == 10
    for orbit in (records[:5], records[5:]):
        seated = {(seat["bot"], place) for r in orbit for place, seat in enumerate(r["seats"])}
        assert len(seated) == 20
        assert len({orjson.dumps([deal["hands"] for deal in r["deals"]]) for r in orbit}) == 1
        assert len({r["set"] for r in orbit}) == 1
    assert records[0]["set"] != records[5]["set"]
    assert not any(record["faults"] for record in records)


def test_the_result_depends_neither_on_workers_nor_on_fresh_processes(tournament, tmp_path):
    play(tournament(run={"workers": 2}), tmp_path / "two")
    play(tournament(), tmp_path / "one")
    play(tournament(run={"restart": "match"}), tmp_path / "fresh")
    play(tournament(run={"most_processes": 5}), tmp_path / "few")
    assert played_in(tmp_path / "one") == played_in(tmp_path / "two")
    assert played_in(tmp_path / "one") == played_in(tmp_path / "fresh")
    assert played_in(tmp_path / "one") == played_in(tmp_path / "few")


def test_a_stopped_run_goes_on_and_ends_as_if_it_had_not_been_stopped(tournament, tmp_path):
    stop = Stop()
    listener = Heard(then=lambda: setattr(stop, "asked", True))
    summary = play(tournament(), tmp_path / "stopped", listener, stop)
    assert 0 < summary.done < summary.total
    went_on = Heard()
    assert play(tournament(), tmp_path / "stopped", went_on).complete
    assert len(listener.matches) + len(went_on.matches) == 10
    play(tournament(), tmp_path / "whole")
    assert played_in(tmp_path / "stopped") == played_in(tmp_path / "whole")


def test_a_run_that_was_begun_when_a_stall_was_charged_by_default_goes_on(tournament, tmp_path):
    plan = tournament()
    with open_run(plan, tmp_path / "run", extend=False) as (store, _):
        limits = header_of(plan)["limits"]
        store.set_header({"limits": limits | {"on_host_stall": "charge"}})
    with open_run(plan, tmp_path / "run", extend=False):
        pass
    voids = tournament(limits={"on_host_stall": "void"})
    words = 'limits.on_host_stall was "charge", is now "void"'
    with (
        pytest.raises(StoreError, match=words),
        open_run(voids, tmp_path / "run", extend=False),
    ):
        pass


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seed": "8"}, "seed was"),
        ({"schedule": {"orbits": 3}}, "orbits were 2, are now 3"),
        ({"game": {"deals": 5}}, r"variant.deals was 4, is now 5"),
        ({"limits": {"move_ms": 5}}, r"limits.move_ms was 1000, is now 5"),
        ({"bots": ["b0=random", "b1=random", "b2=random", "b3=random", "x=random"]}, "bot b4"),
    ],
)
def test_a_run_is_not_continued_under_other_settings(tournament, tmp_path, changes, words):
    play(tournament(), tmp_path / "run", stop=Stop(asked=True))
    with pytest.raises(StoreError, match=words):
        play(tournament(**changes), tmp_path / "run")


def test_two_bots_of_one_name_are_refused(tournament):
    with pytest.raises(ConfigError, match="two bots are named 'random'"):
        tournament(bots=["random", "random"])


def test_a_worker_that_is_killed_costs_no_match(tournament, tmp_path, killed_worker):
    listener = Heard(then=killed_worker)
    assert play(tournament(run={"workers": 2}), tmp_path / "run", listener).complete
    assert sorted(listener.matches) == sorted(
        record["match"] for record in played_in(tmp_path / "run")
    )
    play(tournament(), tmp_path / "undisturbed")
    assert played_in(tmp_path / "run") == played_in(tmp_path / "undisturbed")


def test_a_run_can_be_extended_by_orbits_and_by_bots_and_keeps_what_it_has(tournament, tmp_path):
    play(tournament(), tmp_path / "run")
    before = played_in(tmp_path / "run")
    longer = {"schedule": {"orbits": 3}}
    play(tournament(**longer), tmp_path / "run", extend=True)
    assert played_in(tmp_path / "run")[:10] == before
    assert len(played_in(tmp_path / "run")) == 15
    more = longer | {"bots": [*(f"b{number}=random" for number in range(5)), "new=random"]}
    assert play(tournament(**more), tmp_path / "run", extend=True).total == 15 + 18
    assert play(tournament(**more), tmp_path / "run").complete
    records = played_in(tmp_path / "run")
    assert records[:10] == before
    assert len({record["match"] for record in records}) == 33
    assert {seat["bot"] for record in records[15:] for seat in record["seats"]} >= {"new", "b0"}


def test_a_run_is_not_extended_to_fewer_orbits_or_other_bots(tournament, tmp_path):
    play(tournament(), tmp_path / "run", stop=Stop(asked=True))
    with pytest.raises(StoreError, match="has 2 orbits, which is more than 1"):
        play(tournament(schedule={"orbits": 1}), tmp_path / "run", extend=True)
    others = ["x=random", *(f"b{number}=random" for number in range(5))]
    with pytest.raises(StoreError, match="behind the old ones"):
        play(tournament(bots=others), tmp_path / "run", extend=True)


@pytest.mark.parametrize(
    ("change", "could_be_added"),
    [
        ({"schedule": {"orbits": 3}}, True),
        ({"bots": [*(f"b{number}=random" for number in range(5)), "new=random"]}, True),
        ({"schedule": {"orbits": 1}}, False),
        ({"bots": ["x=random", *(f"b{number}=random" for number in range(1, 5))]}, False),
        ({"bots": [*(f"b{number}=random" for number in range(4)), "b4=counting"]}, False),
        ({"schedule": {"orbits": 3}, "limits": {"move_ms": 5}}, False),
    ],
)
def test_extending_is_advised_where_it_would_help_and_can_be_asked_for(
    tournament, tmp_path, change, could_be_added
):
    play(tournament(), tmp_path / "run", stop=Stop(asked=True))
    for extend in (False, None):
        with pytest.raises(StoreError, match="begun with other settings") as refused:
            play(tournament(**change), tmp_path / "run", extend=extend)
        assert ("--extend" in refused.value.mend) is (could_be_added and extend is False)


@pytest.fixture
def crasher(tmp_path):
    path = tmp_path / "crasher.py"
    path.write_text("raise SystemExit(3)")
    return str(path)


def test_a_bot_that_crashes_in_every_match_never_uses_up_the_run(tournament, tmp_path, crasher):
    bots = ["b0=random", "b1=random", "b2=random", "b3=random", crasher]
    assert play(tournament(bots=bots), tmp_path / "run").complete
    records = played_in(tmp_path / "run")
    assert len(records) == 10
    at_fault = {r["seats"][fault["seat"]]["bot"] for r in records for fault in r["faults"]}
    assert at_fault == {"crasher"}


def test_a_bot_that_only_faults_is_withdrawn_and_its_matches_are_void(
    tournament, tmp_path, crasher
):
    bots = ["b0=random", "b1=random", "b2=random", "b3=random", crasher]
    changes = {"bots": bots, "schedule": {"orbits": 3}, "run": {"withdraw_after": 1}}
    summary = play(tournament(**changes), tmp_path / "run")
    assert summary.complete
    records = played_in(tmp_path / "run")
    # In an orbit of five bots each sits at four of the five tables: one table is without it.
    assert summary.total == len(records) == 5 + 2
    assert [bool(record.get("void")) for record in records].count(True) == 4
    rated = [record for record in records if "void" not in record]
    assert not any(record["faults"] for record in rated)
    play(tournament(**changes), tmp_path / "run")
    assert played_in(tmp_path / "run") == records


def test_no_more_workers_are_started_than_there_are_matches(tournament, tmp_path):
    seen: list[int] = []
    listener = Heard(then=lambda: seen.append(len(multiprocessing.active_children())))
    file = {"bots": ["b0=random", "b1=random"], "schedule": {"orbits": 1}, "run": {"workers": 6}}
    assert play(tournament(**file), tmp_path / "run", listener).total == 2
    assert max(seen) == 2


def test_far_more_workers_than_cores_are_refused(tournament, tmp_path):
    with pytest.raises(ConfigError, match="workers"):
        play(tournament(run={"workers": 4_000}), tmp_path / "run")


WRITER = """\
import json, sys
try:
    open("/tmp/note", "w").write("x")
    wrote = True
except OSError:
    wrote = False
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        action = message.get("legal", [None])[0]
        note = "wrote" if wrote else "refused"
        print(json.dumps({"id": message["id"], "action": action, "note": note}), flush=True)
"""


@pytest.mark.parametrize(
    ("asked", "allowed", "note"), [(4, 8, "wrote"), (4, 0, "refused"), (0, 8, "refused")]
)
def test_a_bot_can_write_only_where_it_asks_and_the_organiser_allows(
    tournament, tmp_path, asked, allowed, note
):
    folder = tmp_path / "writer"
    folder.mkdir()
    scratch = f"[scratch]\nmb = {asked}\n" if asked else ""
    (folder / "bot.py").write_text(WRITER)
    (folder / "bot.toml").write_text(
        f'name = "writer"\nversion = "1"\nrun = ["python3", "bot.py"]\n{scratch}'
    )
    file = {"bots": [str(folder), "random"], "schedule": {"orbits": 1}, "game": {"deals": 1}}
    play(tournament(**file, limits={"scratch_mb": allowed}), tmp_path / "run")
    records = played_in(tmp_path / "run")
    assert not any(record["faults"] for record in records)
    assert {said["text"] for record in records for said in record["notes"]} == {note}


def test_the_challengers_of_a_gauntlet_are_set_in_the_file_and_belong_to_the_run(
    tournament, tmp_path
):
    gauntlet = {"format": "gauntlet", "orbits": 1}
    two = tournament(schedule={**gauntlet, "challengers": 2})
    assert two.total == 4 * 2 * 3
    seated = [spec.seats for spec in match_specs(two.schedule, two.segments, two.seed)]
    assert all(len({0, 1}.intersection(seats)) == 1 for seats in seated)
    with open_run(two, tmp_path / "run"):
        pass
    with (
        pytest.raises(StoreError, match="schedule was"),
        open_run(tournament(schedule=gauntlet), tmp_path / "run"),
    ):
        pass
    with pytest.raises(ConfigError, match="`challengers` is for a gauntlet"):
        tournament(schedule={"challengers": 2})
