"""What is tried from inside fails; and it is seen to succeed where nothing stops it."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.process import Launch
from arena.sandbox.api import CAPABILITIES, CapabilityReport, Limits, Program, Unavailable
from arena.sandbox.bubblewrap import Bubblewrap
from arena.sandbox.choice import RANKED, lacks
from arena.sandbox.gate import GATE_FD, READY_FD, LimitsGuard, gated
from arena.sandbox.trial import ATTACKS, CHANNELS, HEAVY, Trial
from arena.testing.sandbox import check_sandbox


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


def test_light_attacks_on_bwrap_come_to_nothing():
    with Trial(Bubblewrap()) as trial:
        outcomes = trial.run([a.name for a in ATTACKS if a.capability not in HEAVY])
    assert not [outcome for outcome in outcomes if outcome.won]


@pytest.mark.slow
@pytest.mark.parametrize(
    "attack", [a for a in ATTACKS if a.capability in HEAVY], ids=lambda a: a.name
)
def test_a_heavy_attack_on_bwrap_comes_to_nothing(attack):
    with Trial(Bubblewrap()) as trial:
        outcome = trial.run([attack.name])[0]
    assert not outcome.won, outcome.detail


@pytest.mark.slow
@pytest.mark.parametrize("channel", CHANNELS)
def test_no_channel_joins_two_bots_under_bwrap(channel: str):
    with Trial(Bubblewrap()) as trial:
        outcome = trial.run_channel(channel)
    assert not outcome.won, outcome.detail


def test_orphans_die_with_their_tree():
    with Trial(Bubblewrap()) as trial:
        assert not trial.survives_kill("outlive").won


def test_orphans_die_with_the_harness():
    with Trial(Bubblewrap()) as trial:
        assert not trial.survives_referee("outlive").won


@pytest.mark.slow
def test_bwrap_keeps_its_promises(tmp_path: Path):
    sandbox = Bubblewrap(cache=tmp_path)
    check_sandbox(sandbox)
    assert lacks(sandbox, RANKED) is None


def test_the_kit_finds_what_is_wrong_with_a_provider():
    with pytest.raises(AssertionError, match="report: it names other capabilities"):
        check_sandbox(Bare())
