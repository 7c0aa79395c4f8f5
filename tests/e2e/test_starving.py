"""A tournament with a bot that burns the core, played as an organiser plays it, and with runtimes
that work in the background."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

VILLAINS = Path(__file__).parents[1] / "villains"

BURNER = """name = "burner"
version = "1"
run = ["python3", "burner.py", "spins", "60"]
"""
THINKER = """name = "{name}"
version = "1"
run = ["python3", "thinker.py", "20"]
"""


def a_bot(folder: Path, manifest: str, source: str) -> Path:
    folder.mkdir()
    (folder / "bot.toml").write_text(manifest)
    (folder / source).write_text((VILLAINS / source).read_text())
    return folder


def test_who_burns_the_core_comes_last_and_nobody_else_is_charged(arena, tmp_path):
    burner = a_bot(tmp_path / "burner", BURNER, "burner.py")
    names = ("a", "b", "c")
    others = [a_bot(tmp_path / n, THINKER.format(name=n), "thinker.py") for n in names]
    words = ("--deals", "1", "--orbits", "1", "--workers", "1", "--move-ms", "400")
    arena("run", burner, *others, *words, "--out", tmp_path / "run")
    records = [json.loads(text) for text in arena("export", tmp_path / "run").stdout.splitlines()]
    charged = [(r["seats"][f["seat"]]["bot"], f["kind"]) for r in records for f in r["faults"]]
    assert {bot for bot, _ in charged} == {"burner"}
    assert len(charged) == len(records)
    # Where its children made it late itself, that is its own timeout.
    assert "idle-cpu" in {kind for _, kind in charged} <= {"idle-cpu", "timeout"}
    rows = json.loads(arena("board", tmp_path / "run", "--format", "json").stdout)["rows"]
    assert rows[-1]["bot"] == "burner"
    arena("verify", tmp_path / "run")


@pytest.mark.slow
def test_runtimes_that_work_in_the_background_are_never_charged(arena, tmp_path):
    languages = ("java", "go", "javascript", "python")
    for language in languages:
        arena("new", f"in-{language}", "--lang", language)
    bots = [tmp_path / f"in-{language}" for language in languages]
    # The referee looks once in half a second: a match of this length lasts far longer everywhere.
    words = ("--deals", "200", "--orbits", "1", "--workers", "1", "--move-ms", "200")
    arena("run", *bots, *words, "--out", tmp_path / "run")
    records = [json.loads(text) for text in arena("export", tmp_path / "run").stdout.splitlines()]
    faults = [fault for record in records for fault in record["faults"]]
    # On a machine that starves them all, a bot may be late; the record says that it was starved.
    assert [f for f in faults if f["kind"] != "timeout" or not f.get("host_stalled")] == []
    assert any("idle_cpu_ms" in timing for record in records for timing in record["timing"])
