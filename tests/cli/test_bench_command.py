"""`arena bench`: a signature that says whether a bot still decides as before."""

import json
from pathlib import Path

import pytest

from arena.cli.app import main

FAIR = Path(__file__).parents[1] / "villains" / "fair.py"
SHORT = ("--unsandboxed", "--matches", "2", "--deals", "1")


def bench(capsys, *args, status=0):
    with pytest.raises(SystemExit) as left:
        main(["bench", *map(str, args), *SHORT, "--json"])
    assert left.value.code == status
    captured = capsys.readouterr()
    return json.loads(captured.out), captured.err


@pytest.fixture
def changed(tmp_path):
    """Makes fair.py with a line changed."""

    def make(name, old, new):
        path = tmp_path / name
        path.write_text(FAIR.read_text().replace(old, new, 1))
        return path

    return make


def test_a_refactoring_keeps_the_signature_and_another_decision_changes_it(changed, capsys):
    before, _ = bench(capsys, FAIR)
    same, _ = bench(capsys, changed("same.py", "import sys", "import sys  # the system"))
    other, _ = bench(capsys, changed("other.py", '["legal"][0]', '["legal"][-1]'))
    assert same["signature"] == before["signature"] != other["signature"]
    assert before["reproducible"]
    assert before["decisions"] == 2 * 4 * 14
    assert before["memory_mb"] > 1


def test_the_expected_signature_may_be_abbreviated_and_is_a_gate(capsys):
    found, _ = bench(capsys, FAIR)
    bench(capsys, FAIR, "--expect", found["signature"][:12])
    _, err = bench(capsys, FAIR, "--expect", "0" * 12, status=1)
    assert "the bot decides otherwise: expected 000000000000" in err


def test_a_bot_that_draws_chance_from_elsewhere_is_found_out(changed, capsys):
    wild = changed(
        "wild.py", 'message["legal"][0]', '__import__("random").choice(message["legal"])'
    )
    found, _ = bench(capsys, wild)
    assert not found["reproducible"]
    assert found["differs_at"] == "match 1"


def test_a_fault_is_named_and_status_1(changed, capsys):
    broken = changed("broken.py", '"action": message["legal"][0]', '"action": "ZZ"')
    found, err = bench(capsys, broken, status=1)
    assert found["faults"][0]["kind"] == "illegal-action"
    assert "fault: seat" in err


@pytest.mark.parametrize("signature", ["abc", "g" * 12, "0" * 65])
def test_what_is_no_signature_is_refused(signature, capsys):
    with pytest.raises(SystemExit) as left:
        main(["bench", str(FAIR), "--expect", signature])
    assert left.value.code == 2
    assert "hexadecimal" in capsys.readouterr().err


@pytest.mark.slow
def test_in_the_sandbox_the_signature_is_the_same(capsys):
    main_args = [str(FAIR), "--matches", "2", "--deals", "1", "--json"]
    with pytest.raises(SystemExit):
        main(["bench", *main_args])
    shut = json.loads(capsys.readouterr().out)
    open_, _ = bench(capsys, FAIR)
    assert shut["signature"] == open_["signature"]
    assert shut["memory_mb"] > 1
