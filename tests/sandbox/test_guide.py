"""The guide names every provider and every capability, and asks what the code asks."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.plugins import build_manager, sandboxes
from arena.sandbox.api import CAPABILITIES
from arena.sandbox.choice import RANKED
from arena.sandbox.trial import ATTACKS

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "sandbox.md"


def rows(text: str) -> dict[str, list[str]]:
    """First cell (without its backquotes) -> the other cells, of all tables."""
    cells = (line.strip("|").split("|") for line in text.splitlines() if line.startswith("| `"))
    return {first.strip(" `"): [cell.strip() for cell in rest] for first, *rest in cells}


@pytest.fixture
def table() -> dict[str, list[str]]:
    return rows(GUIDE.read_text())


def test_every_capability_stands_there_with_what_ranked_runs_require(table):
    told = {name: table[name][-1] for name in CAPABILITIES}
    assert told == {name: str(RANKED.get(name, "")) for name in CAPABILITIES}


def test_every_provider_stands_there(table):
    assert set(sandboxes(build_manager())) <= set(table)


def test_the_number_of_attacks_is_not_exaggerated():
    assert "more than sixty small attacks" in GUIDE.read_text()
    assert len(ATTACKS) > 60
