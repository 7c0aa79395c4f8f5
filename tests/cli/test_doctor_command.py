"""`arena doctor`: every provider and every toolchain is named, with a remedy for each lack."""

from __future__ import annotations

import json

import pytest

from arena.bots.survey import TOOLS, survey
from arena.cli.app import main
from arena.sandbox.api import CAPABILITIES, Level
from arena.sandbox.bubblewrap import Bubblewrap
from arena.sandbox.doctor import examine, remedy
from arena.sandbox.unconfined import Unconfined


def doctor(capsys, *args, status=0):
    with pytest.raises(SystemExit) as left:
        main(["doctor", *args])
    assert left.value.code == status
    return capsys.readouterr().out


def test_a_fit_sandbox_is_told_with_every_capability_and_toolchain(capsys):
    told = doctor(capsys, "--sandbox", "bwrap")
    assert "bwrap: fit for ranked runs" in told
    assert [name for name in CAPABILITIES if name not in told] == []
    assert [command for _, command, _ in TOOLS if command not in told] == []
    assert "where a run lists that: --toolchain FOLDER" in told


def test_no_sandbox_is_a_negative_verdict(capsys):
    told = json.loads(doctor(capsys, "--sandbox", "none", "--json", status=1))
    assert told["sandboxes"][0]["fit"] is False
    assert set(told["sandboxes"][0]["report"]["capabilities"]) == set(CAPABILITIES)


def test_a_lacking_toolchain_is_told_with_its_remedy(tmp_path):
    tools = survey(str(tmp_path))
    assert [tool for tool in tools if tool.path or not tool.remedy] == []
    assert next(t for t in tools if t.command == "node").remedy == "apt install nodejs"


def test_a_found_toolchain_tells_its_version():
    python = next(tool for tool in survey() if tool.command == "python3")
    assert python.version.startswith("Python 3.")


def test_everything_short_of_enforced_has_a_remedy():
    for finding in examine([Bubblewrap(), Unconfined()]):
        assert finding.report is not None
        for one in finding.report.capabilities:
            told = remedy(finding.name, one.name, one.level)
            assert bool(told) is (one.level is not Level.ENFORCED), one
