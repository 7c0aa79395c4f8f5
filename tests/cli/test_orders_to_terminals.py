"""Nothing that a bot or a stranger writes gives an order to the organiser's terminal."""

from __future__ import annotations

import json
from types import SimpleNamespace

from arena.cli import serve_bhoos
from arena.cli.output import appending, opened
from arena.report.escape import visible_json

ORDER = "\x9b31m \u202e \x85 \U000e0041"
"""A control sequence above ASCII, a turn of the writing direction, a line end, a hidden letter."""


def test_records_on_stdout_are_the_same_json_without_one_order(capfdbinary):
    record = SimpleNamespace(as_dict=lambda: {"notes": [ORDER]})
    with opened(None) as target:
        target.write(json.dumps({"notes": [ORDER]}, ensure_ascii=False).encode() + b"\n")
    with appending("-") as append:
        append(record)
    lines = capfdbinary.readouterr().out.decode().split("\n")
    assert [json.loads(line)["notes"] for line in lines if line] == [[ORDER], [ORDER]]
    assert all(line.isprintable() for line in lines)


def test_json_made_visible_is_the_same_value():
    text = json.dumps({ORDER: ["नेपाल", ORDER]}, ensure_ascii=False, indent=2)
    shown = visible_json(text)
    assert json.loads(shown) == json.loads(text)
    assert "नेपाल" in shown
    assert shown.replace("\n", "").isprintable()


def test_a_refused_question_cannot_reach_the_terminal(capsys):
    serve_bhoos._log("a question that cannot be answered: \x1b]0;x\x07 \x9b2J")
    assert capsys.readouterr().err.strip().isprintable()
