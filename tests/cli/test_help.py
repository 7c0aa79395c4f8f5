"""`--help` of every command: no wider than the terminal, and no Python in it."""

from __future__ import annotations

import re

import pytest
from rich.cells import cell_len

from arena.cli.app import COMMANDS, main

NARROW = 60


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_a_narrow_terminal_and_shows_no_types(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(NARROW))
    with pytest.raises(SystemExit) as left:
        main([*([command] if command else []), "--help"])
    shown = capsys.readouterr().out
    assert left.value.code == 0
    assert "--help" in shown
    assert not re.search(r"<(bool|int|str|float|Path|path|list)\b", shown)
    wide = [line for line in shown.splitlines() if cell_len(line.rstrip()) > NARROW]
    assert not wide
