"""docs/guide/bhoos.md says what is there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from arena_protocol.manifest import parse_manifest

from arena.adapters.bhoos.adapter import DEFAULT_ENV, Settings
from arena.adapters.bhoos.question import DEAL_MS
from arena.cli.commands import COMMANDS
from arena.records import FaultKind
from arena.referee.evidence import LogTail

GUIDE = (Path(__file__).parents[2] / "docs" / "guide" / "bhoos.md").read_text()


def test_it_names_every_setting():
    named = re.findall(r"^\| `(\w+)` \|", GUIDE, re.MULTILINE)
    assert named == list(Settings.model_fields)


def test_its_manifest_is_one():
    (text,) = re.findall(r"```toml\n(.*?)```", GUIDE, re.DOTALL)
    manifest = parse_manifest(text)
    assert manifest.adapter == "bhoos"
    assert Settings.model_validate(tomllib.loads(text)["bhoos"]).port == 7000
    assert manifest.env == DEFAULT_ENV


def test_its_commands_and_faults_exist():
    commands = set(re.findall(r"^arena ([\w-]+)", GUIDE, re.MULTILINE))
    assert commands == {"new", "match", "serve-bhoos", "import-bhoos", "board"}
    assert commands <= set(COMMANDS)
    assert set(re.findall(r"\| `([a-z-]+)`(?:,.*)? \|$", GUIDE, re.MULTILINE)) <= set(FaultKind)


def test_its_figures_are_those_of_the_code():
    tail = LogTail()
    tail.add(b"x\n" * 1000)
    assert f"the last {len(tail.text().splitlines())} lines" in GUIDE
    assert f"{DEAL_MS} in that tournament" in GUIDE
