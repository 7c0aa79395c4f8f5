"""What is tried from inside fails; and it is seen to succeed where nothing stops it."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from arena.process import Launch, spawn
from arena.sandbox.api import CAPABILITIES, CapabilityReport, Level, Limits, Program, Unavailable
from arena.sandbox.bubblewrap import Bubblewrap
from arena.sandbox.choice import RANKED, lacks
from arena.sandbox.gate import GATE_FD, READY_FD, LimitsGuard, gated
from arena.sandbox.landlock import Landlock
from arena.sandbox.report import confirmed
from arena.sandbox.trial import ATTACKS, CHANNELS, HEAVY, OPEN_CHANNELS, Trial


class Bare:
    """No sandbox and no limits but a pinned core: what a test of a sandbox must see failing."""

    name = "bare"

    def unavailable(self) -> Unavailable | None:
        return None

    def report(self) -> CapabilityReport:
        return CapabilityReport(self.name, "", ())

    def launch(self, program: Program, limits: Limits) -> Launch:
        inner = ("/bin/sh", "-c", 'cd "$0" && exec "$@"', str(program.folder), *program.argv)
        return Launch(
            gated(inner),
            env={"PATH": "/usr/bin:/bin", **program.env},
            gate_fds=(GATE_FD,),
            ready_fd=READY_FD,
            guards=(LimitsGuard((), program.core),),
        )


def test_every_attack_is_on_a_known_capability_and_known_once():
    assert {attack.capability for attack in ATTACKS} <= set(CAPABILITIES)
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS)


@pytest.mark.slow
@pytest.mark.parametrize("attack", [a for a in ATTACKS if a.harmless], ids=lambda a: a.name)
def test_an_attack_wins_where_nothing_stops_it(attack):
    with Trial(Bare()) as trial:
        outcome = trial.run([attack.name])[0]
    assert outcome.won, outcome.detail


def test_a_temporary_folder_of_any_length_hides_no_socket_from_the_attacks(tmp_path, monkeypatch):
    deep = tmp_path / ("d" * 120)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    with Trial(Bare()) as trial:
        outcomes = trial.run(["connect-socket-file", "send-to-socket-file", "read-connections"])
    assert [outcome.detail for outcome in outcomes if not outcome.won] == []


@pytest.mark.slow
@pytest.mark.parametrize("channel", CHANNELS)
def test_a_channel_carries_a_bit_where_nothing_stops_it(channel: str):
    with Trial(Bare()) as trial:
        outcome = trial.run_channel(channel)
    assert outcome.won, outcome.detail


@pytest.mark.slow
def test_orphans_outlive_a_harness_without_a_sandbox():
    with Trial(Bare()) as trial:
        assert trial.survives_referee("outlive").won


def test_a_timer_wakes_a_stopped_program_where_nothing_stops_it():
    with Trial(Bare()) as trial:  # on a busy core it gets little of the time that it takes
        assert any(trial.burns_on("burn-by-timer").won for _ in range(5))


@pytest.fixture(params=[Bubblewrap, Landlock], ids=lambda provider: provider.name)
def sandbox(request, reports: Path):
    return request.param(cache=reports)


def test_light_attacks_come_to_nothing(sandbox):
    with Trial(sandbox) as trial:
        outcomes = trial.run([a.name for a in ATTACKS if a.capability not in HEAVY])
    assert not [outcome for outcome in outcomes if outcome.won]


@pytest.mark.slow
@pytest.mark.parametrize("attack", [a.name for a in ATTACKS if a.capability in HEAVY])
def test_a_heavy_attack_comes_to_nothing(sandbox, attack: str):
    with Trial(sandbox) as trial:
        outcome = trial.run([attack])[0]
    assert not outcome.won, outcome.detail


def test_memory_that_only_a_pipe_holds_is_refused_without_control_groups_too(
    monkeypatch, tmp_path: Path
):
    monkeypatch.setattr(Bubblewrap, "_controller", lambda self: None)
    with Trial(Bubblewrap(cache=tmp_path)) as trial:
        outcome = trial.run(["hog-spliced"])[0]
    assert not outcome.won, outcome.detail


@pytest.mark.parametrize("attack", ["hog-page-tables", "hog-sockets"])
def test_memory_that_the_kernel_holds_counts_without_control_groups_too(
    attack: str, monkeypatch, tmp_path: Path
):
    monkeypatch.setattr(Bubblewrap, "_controller", lambda self: None)
    with Trial(Bubblewrap(cache=tmp_path)) as trial:
        outcome = trial.run([attack])[0]
    assert not outcome.won, outcome.detail
    assert "256 MB allowed" in outcome.detail


EMPTY_FILES = """
import time
for number in range(100_000):
    open(f"/tmp/{number}", "x").close()
time.sleep(60)
"""


def test_files_in_the_writable_space_count_without_control_groups_too(monkeypatch, folder: Path):
    monkeypatch.setattr(Bubblewrap, "_controller", lambda self: None)
    (folder / "files.py").write_text(EMPTY_FILES)
    program = Program(folder, ("/usr/bin/python3", "files.py"))
    launch = Bubblewrap().launch(program, Limits(memory_mb=64, scratch_mb=4))
    with spawn(launch) as process:
        end = process.exit(60_000)
    assert end is not None
    assert (end.memory, "64 MB allowed" in end.detail) == (True, True)


@pytest.mark.slow
def test_no_channel_joins_two_bots(sandbox):
    with Trial(sandbox) as trial:
        assert not [o for o in map(trial.run_channel, CHANNELS) if o.won]


@pytest.mark.parametrize("channel", OPEN_CHANNELS)
def test_what_the_guide_calls_open_is_open(sandbox, channel: str):
    """A channel that is shut one day goes into CHANNELS, and out of the guide."""
    with Trial(sandbox) as trial:
        outcome = trial.run_channel(channel)
    assert outcome.won, outcome.detail


@pytest.mark.parametrize("end", ["survives_kill", "survives_referee"])
def test_a_tree_dies_whole(sandbox, end: str):
    with Trial(sandbox) as trial:
        for attack in ("outlive", "outlive-alone"):
            outcome = getattr(trial, end)(attack)
            assert not outcome.won, outcome.detail


def test_what_a_tree_burns_is_counted_and_can_be_stopped(sandbox):
    with Trial(sandbox) as trial:
        outcome = trial.burns_on("burn" if sandbox.name == "bwrap" else "burn-alone")
    assert not outcome.won, outcome.detail
    assert "while stopped" in outcome.detail


def test_no_timer_ends_a_pause(sandbox):
    with Trial(sandbox) as trial:
        outcome = trial.burns_on("burn-by-timer")
    assert not outcome.won, outcome.detail


@pytest.mark.slow
def test_what_withstands_every_attack_is_enough_for_a_ranked_run(sandbox):
    assert lacks(sandbox, RANKED) is None


def test_a_report_is_made_once_and_then_remembered(sandbox, tmp_path: Path):
    claims = dict.fromkeys(CAPABILITIES, (Level.NONE, "nothing is claimed"))
    claims["cores"] = (Level.ENFORCED, "pinned")
    first = confirmed(sandbox, "1", claims, children=False, cache=tmp_path)
    assert first.level("cores") is Level.ENFORCED
    (kept,) = tmp_path.glob("*.json")
    kept.write_text('{"cores": "an attack came through"}')
    second = confirmed(sandbox, "1", claims, children=False, cache=tmp_path)
    assert second.level("cores") is Level.NONE


def test_a_claim_that_an_attack_breaks_is_reported_as_none(tmp_path: Path):
    claims = dict.fromkeys(CAPABILITIES, (Level.NONE, "nothing is claimed"))
    claims["filesystem"] = (Level.ENFORCED, "so they say")
    report = confirmed(Bare(), "1", claims, children=True, cache=tmp_path)
    assert report.level("filesystem") is Level.NONE
    assert "read-home came through" in {c.name: c.how for c in report.capabilities}["filesystem"]
