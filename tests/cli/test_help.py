"""`--help` of every command: no wider than the terminal, and no Python in it."""

from __future__ import annotations

import inspect
import re

import pytest
from rich.cells import cell_len

from arena.cli.app import COMMANDS, build_app, main

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


def test_files_are_tried_by_who_reads_them_and_not_by_the_parser():
    paths = [
        (command.name, parameter.name, parameter.annotation.__metadata__[0])
        for command in build_app(None).registered_commands
        for parameter in inspect.signature(command.callback, eval_str=True).parameters.values()
        if "pathlib.Path" in str(parameter.annotation)
    ]
    assert paths
    assert [place for *place, told in paths if told.readable] == []
