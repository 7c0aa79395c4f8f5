"""`arena match`: one match, reproducible, whole for the others whatever one bot does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent

VILLAINS = {
    "hangs": ("import time\nprint(hello())\ntime.sleep(3600)", "timeout"),
    "exits": ("print(hello())\nraise SystemExit(3)", "exited"),
    "nonsense": ("print(hello())\nsys.stdin.readline()\nprint('what?')", "malformed"),
    "illegal": (
        "print(hello())\nfor line in sys.stdin:\n    m = json.loads(line)\n"
        "    if 'id' in m: print(json.dumps({'id': m['id'], 'action': 'AS' "
        "if m['kind'] == 'play' and 'AS' not in m['legal'] else m['legal'][0]}))",
        "illegal-action",
    ),
    "silent": ("import time\ntime.sleep(3600)", "start-timeout"),
}
PRELUDE = """\
import json, sys, functools
print = functools.partial(print, flush=True)
def hello():
    return json.dumps({"id": json.loads(sys.stdin.readline())["id"]})
"""


def without_time(record: dict) -> dict:
    return {key: value for key, value in record.items() if key not in ("started", "timing")}


def test_a_seed_gives_the_same_deals_plays_and_scores(arena):
    words = ("match", *["random"] * 4, "--deals", "200", "--seed", "7", "--record", "-")
    first, second = (json.loads(arena(*words).stdout) for _ in range(2))
    assert without_time(first) == without_time(second)
    assert len(first["deals"]) == 200
    other = json.loads(arena(*words[:-4], "--seed", "8", "--record", "-").stdout)
    assert other["deals"][0]["hands"] != first["deals"][0]["hands"]


def test_a_record_replays_under_a_program_that_knows_only_the_rules(arena, tmp_path):
    bots = ("random", "counting", "random", "counting")
    arena("match", *bots, "--deals", "50", "--record", "m.jsonl")
    line = (tmp_path / "m.jsonl").read_text()
    outside = subprocess.run(
        [sys.executable, "-I", str(HERE / "outside.py")],
        input=line,
        capture_output=True,
        text=True,
        check=False,
    )
    assert outside.stderr == ""
    assert json.loads(outside.stdout) == json.loads(line)["scores"]


@pytest.mark.parametrize("villain", VILLAINS)
def test_a_bad_bot_costs_only_itself(arena, tmp_path, villain):
    program, kind = VILLAINS[villain]
    # Villains of other tests are about at the same time, under names of their own.
    own_file = f"bad-{villain}.py"
    (tmp_path / own_file).write_text(f"{PRELUDE}{program}\n")
    limits = ("--move-ms", "2000", "--start-ms", "5000")
    done = arena("match", own_file, "random", "random", "random", *limits, "--record", "-")
    record = json.loads(done.stdout)
    assert [(fault["seat"], fault["kind"]) for fault in record["faults"]] == [(0, kind)]
    assert len(record["deals"]) == 4
    assert record["ranks"][0] == 4
    assert sorted(record["ranks"][1:])[0] == 1
    assert all(timing["decisions"] == 56 for timing in record["timing"][1:])
    assert kind in done.stderr
    assert no_process_mentions(own_file)


def no_process_mentions(word: str) -> bool:
    """True if no living process has the word in its arguments."""
    for cmdline in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if word.encode() in cmdline.read_bytes():
                return False
        except OSError:
            continue
    return True


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("match", "random"), "4 BOTs"),
        (("match", "random", "random", "random", "randum"), "random"),
        (("match", *["random"] * 4, "--deals", "0"), "--deals"),
        (("match", *["random"] * 4, "--variant", "mastre"), "master"),
        (("match", *["random"] * 4, "--sandbox", "nsjail"), "bwrap"),
        (("match", *["random"] * 4, "--require", "memory"), "CAPABILITY=LEVEL"),
        (("match", *["random"] * 4, "--set", "late_ms"), "SECTION.KEY=VALUE"),
        (("match", *["random"] * 4, "--set", "limits.lat_ms=5"), "late_ms"),
        (("match", *["random"] * 4, "--record", "no/such/folder"), "cannot be written"),
        (("match", *["random"] * 4, "--deals", "9999", "--record", "/"), "cannot be written"),
        (("board", "nowhere"), "nowhere"),
        (("export", "nowhere"), "nowhere"),
        (("run", "random"), "at least two"),
        (("run", "missing.toml"), "missing.toml"),
        (("rum",), "run"),
        (("rules", "--variant", "x"), "master"),
        (("schema", "x"), "record"),
    ],
)
def test_wrong_use_is_one_line_that_says_how_to_mend_it(arena, words, complaint):
    done = arena(*words, status=2)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert complaint in done.stderr


def test_watching_tells_every_trick(arena):
    told = arena("match", *["random"] * 4, "--deals", "2", "--watch").stdout
    assert told.count("won by") == 26
    assert told.count("over: called") == 2
    assert told.count("\n") == 26 + 2 + 5  # a trick or a deal a line, however wide


def test_an_unsandboxed_match_is_only_played_when_asked_for(arena):
    arena("match", *["random"] * 4, "--deals", "1", "--unsandboxed")
    done = arena("match", *["random"] * 4, "--unsandboxed", "--sandbox", "bwrap", status=2)
    assert "contradict" in done.stderr


def test_each_line_sent_to_a_seat_can_be_kept(arena, tmp_path):
    arena("match", *["random"] * 4, "--deals", "1", "--transcript", "all.jsonl")
    events = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    told = [event["line"]["type"] for event in events if event.get("to") == 2]
    assert told == ["hello", "start", *["act"] * 14, "deal_over", "end"]
    assert events[-1]["record"]["faults"] == []


def test_every_setting_of_a_tournament_file_is_an_option(arena):
    rules = ("game.parameters.base=master", "game.parameters.min_call=5")
    words = [word for setting in (*rules, "limits.pause_idle=true") for word in ("--set", setting)]
    table = ("match", *["random"] * 4, "--deals", "1", "--variant", "steep")
    played = arena(*table, *words, "--record", "-").stdout
    record = json.loads(played)
    assert record["variant"]["min_call"] == 5
    assert min(record["deals"][0]["calls"]) >= 5
