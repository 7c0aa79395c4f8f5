"""A fault is shown with its evidence wherever matches are played."""

from __future__ import annotations

import json
from pathlib import Path

EXITS = Path(__file__).parents[1] / "inspect" / "flawed" / "exited.py"


def words(text: str) -> str:
    """The text as one line: where it was broken does not matter."""
    return " ".join(text.split())


def test_a_fault_of_a_match_is_shown_with_its_evidence(arena):
    bots = (EXITS, "random", "random", "random")
    told = words(arena("match", *bots, "--deals", "1", "--seed", "3").stdout)
    assert "exited (seat 0): exited where deal 1, trick 3 what the process ended" in told
    assert "process exit status 1 log Traceback" in told
    assert "no plan for a third trick" in told


def test_a_run_ends_with_the_first_fault_of_each_bot(arena):
    bots = (EXITS, "random", "counting", "high-low")
    done = arena("run", *bots, "--orbits", "1", "--deals", "1", "--seed", "3", "--unsandboxed")
    told = words(done.stderr)
    assert told.count("faults of exited, in match") == 1
    assert "exited (seat" in told
    assert "what the process ended: exit status 1 process exit status 1 log Traceback" in told
    assert "no plan for a third trick" in told


def test_a_run_for_programs_tells_faults_as_events_alone(arena):
    bots = (EXITS, "random", "counting", "high-low")
    done = arena("run", *bots, "--orbits", "1", "--deals", "1", "--unsandboxed", "--json-events")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    faults = [fault for event in events for fault in event.get("faults", [])]
    assert {fault["kind"] for fault in faults} == {"exited"}
    assert all(fault["stderr"].endswith("no plan for a third trick") for fault in faults)
    assert "Traceback" not in done.stderr
