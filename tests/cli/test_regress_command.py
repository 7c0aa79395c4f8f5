"""`arena regress` with real bots: every verdict and exit status, on disk and on screen."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from arena.cli.app import main
from arena.store import RunStore

FAIR = Path(__file__).parents[1] / "villains" / "fair.py"
pytestmark = pytest.mark.slow
QUICK = ("--unsandboxed", "--seed", "7", "--workers", "1", "--deals", "1")
WIDE = ("--m0", "-2", "--m1", "0.5")
"""Hypotheses of which a bot that equals its base needs few sets to pass."""


@pytest.fixture
def make_bot(tmp_path):
    """Makes a bot of one file: fair.py with a line changed."""

    def make(name, old="", new="", build=""):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "bot.py").write_text(FAIR.read_text().replace(old, new, 1))
        lines = [f'name = "{name}"', 'version = "1"', f'run = ["{sys.executable}", "bot.py"]']
        (folder / "bot.toml").write_text("\n".join([*lines, build]))
        return str(folder)

    return make


@pytest.fixture
def fair(make_bot):
    """Plays the first legal action: calls 2, then always its highest card."""
    return make_bot("fair")


@pytest.fixture
def wild(make_bot):
    """Calls 12 every time, and loses 12 points a deal by it."""
    return make_bot("wild", 'message["legal"][0]', 'message["legal"][-1]')


def regress(*args, status):
    with pytest.raises(SystemExit) as left:
        main(["regress", *map(str, args)])
    assert left.value.code == status


def verdict(capsys, *args, status):
    """The JSON verdict of a test that ends with that exit status."""
    regress("--json", "-", *QUICK, *args, status=status)
    return json.loads(capsys.readouterr().out)


def test_a_better_candidate_is_accepted(fair, wild, capsys):
    found = verdict(capsys, "--base", wild, "--candidate", fair, "--gain", status=0)
    assert found["verdict"] == "accepted"
    assert found["exit_status"] == 0
    assert found["sets"] == 32
    assert found["points_per_deal"]["low"] > 0


def test_a_worse_candidate_is_rejected(fair, wild, capsys):
    found = verdict(capsys, "--base", fair, "--candidate", wild, status=1)
    assert found["verdict"] == "rejected"
    assert found["points_per_deal"]["high"] < 0


def test_the_same_bot_twice_is_no_regression_and_identical(fair, capsys):
    found = verdict(capsys, "--base", fair, "--candidate", fair, *WIDE, status=0)
    assert found["verdict"] == "accepted"
    assert found["identical"]


def test_the_same_bot_twice_is_no_gain(fair, capsys):
    found = verdict(capsys, "--base", fair, "--candidate", fair, "--m0", "0", "--m1", "1", status=1)
    assert found["identical"]


def test_a_randomised_bot_is_identical_with_itself_too(capsys):
    found = verdict(capsys, "--base", "random", "--candidate", "random", *WIDE, status=0)
    assert found["identical"]


def test_a_test_that_ends_without_a_decision_is_undecided(fair, capsys):
    found = verdict(capsys, "--base", fair, "--candidate", fair, "--max-sets", "32", status=3)
    assert found["verdict"] == "undecided"
    assert found["reason"] == "no decision within 32 deal sets"


def test_a_fault_of_the_candidate_fails_at_once_by_its_name(fair, make_bot, capsys):
    broken = make_bot("broken", '"action": message["legal"][0]', '"action": "ZZ"')
    found = verdict(capsys, "--base", fair, "--candidate", broken, status=1)
    assert found["verdict"] == "failed-by-fault"
    assert "illegal-action in match 1-" in found["reason"]
    assert found["sets"] == 0


def test_a_fault_of_the_base_is_undecided(fair, make_bot, capsys):
    broken = make_bot("broken", '"action": message["legal"][0]', '"action": "ZZ"')
    found = verdict(capsys, "--base", broken, "--candidate", fair, status=3)
    assert "a fault of the base" in found["reason"]


def test_a_candidate_that_cannot_be_built_fails_by_that_name(fair, make_bot, capsys):
    unbuilt = make_bot("unbuilt", build='build = ["false"]')
    found = verdict(capsys, "--base", fair, "--candidate", unbuilt, status=1)
    assert found["verdict"] == "build-broken"
    assert "the build failed" in found["reason"]


def test_a_base_that_cannot_be_built_is_wrong_input(fair, make_bot, capsys):
    unbuilt = make_bot("unbuilt", build='build = ["false"]')
    regress("--base", unbuilt, "--candidate", fair, *QUICK, status=2)
    assert "the build failed" in capsys.readouterr().err


def test_a_slower_candidate_fails_by_that_name(fair, make_bot, capsys):
    slow = make_bot("slow", "    if message", "    __import__('time').sleep(0.002)\n    if message")
    found = verdict(
        capsys, "--base", fair, "--candidate", slow, "--time-tolerance", "1.2", status=1
    )
    assert found["verdict"] == "slower"
    assert found["median_move_ms"]["candidate"] > found["median_move_ms"]["base"]


def test_against_a_field_both_play_the_same_others(fair, wild, capsys):
    found = verdict(
        capsys, "--base", wild, "--candidate", fair, "--gain", "--field", "random", status=0
    )
    assert found["field"][0].startswith("random")
    assert found["points_per_deal"]["value"] > 5


def test_the_strict_test_reaches_the_same_verdict(fair, wild, capsys):
    found = verdict(capsys, "--base", fair, "--candidate", wild, "--strict", status=1)
    assert found["terms"]["span"] == 21


def test_reports_are_written_beside_the_text(fair, wild, tmp_path, capsys):
    junit, markdown = tmp_path / "verdict.xml", tmp_path / "verdict.md"
    files = ("--junit", junit, "--markdown", markdown)
    regress("--base", fair, "--candidate", wild, *QUICK, *files, status=1)
    assert ElementTree.parse(junit).getroot().get("failures") == "1"
    assert markdown.read_text().startswith("### ❌ wild 1")
    assert capsys.readouterr().out.startswith("rejected: the evidence against H1 ")


def test_in_the_sandbox_it_is_the_same(fair, wild, capsys):
    shut = verdict(capsys, "--base", fair, "--candidate", wild, status=1)
    shorter = ("--json", "-", "--seed", "7", "--deals", "1")
    regress(*shorter, "--base", fair, "--candidate", wild, status=1)
    found = json.loads(capsys.readouterr().out)
    assert found["details"]["sandbox"] != "none"
    assert (found["evidence"], found["sets"]) == (shut["evidence"], shut["sets"])


def test_a_folder_holds_one_test(fair, wild, tmp_path, capsys):
    out = ("--out", tmp_path / "run")
    found = verdict(capsys, "--base", fair, "--candidate", wild, *out, status=1)
    again = verdict(capsys, "--base", fair, "--candidate", wild, *out, status=1)
    assert found == again | {"median_move_ms": found["median_move_ms"]}
    regress("--base", fair, "--candidate", wild, *QUICK, *out, "--alpha", "0.01", status=2)
    assert "begun with alpha 0.05, not 0.01" in capsys.readouterr().err
    regress("--base", fair, "--candidate", fair, *QUICK, *out, status=2)
    assert "begun with other settings" in capsys.readouterr().err


def started(*args):
    command = [sys.executable, "-m", "arena", "regress", *map(str, args)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def wait_for_matches(folder, count):
    """Returns once so many matches are in the run folder."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if RunStore.is_run(folder):
            with RunStore.read(folder) as store:
                if store.count() >= count:
                    return
        time.sleep(0.01)
    raise AssertionError(f"{count} matches were not played in time")


def test_a_killed_test_goes_on_to_the_same_verdict_at_the_same_set(fair, tmp_path, capsys):
    bots = ("--base", fair, "--candidate", "random", "--m0", "-0.3", "--m1", "0.3")
    whole = verdict(capsys, *bots, "--max-sets", "400", status=1)
    out = tmp_path / "run"
    for matches in (3, 30):
        process = started(*QUICK, *bots, "--max-sets", "400", "--out", out)
        wait_for_matches(out, matches)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
    resumed = verdict(capsys, *bots, "--max-sets", "400", "--out", out, status=1)
    assert resumed["sets"] > 21
    timeless = {"median_move_ms": None}
    assert resumed | timeless == whole | timeless


def test_ctrl_c_leaves_a_folder_that_goes_on(fair, tmp_path, capsys):
    bots = ("--base", fair, "--candidate", fair, *WIDE)
    out = tmp_path / "run"
    process = started(*QUICK, *bots, "--out", out)
    wait_for_matches(out, 1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "to go on: arena regress" in err
    assert verdict(capsys, *bots, "--out", out, status=0)["identical"]


def test_the_number_of_workers_changes_nothing(fair, capsys):
    bots = ("--base", fair, "--candidate", "random", "--m0", "-0.3", "--m1", "0.3")
    timeless = {"median_move_ms": None}
    one = verdict(capsys, *bots, "--workers", "1", status=1)
    four = verdict(capsys, *bots, "--workers", "4", status=1)
    assert one | timeless == four | timeless
