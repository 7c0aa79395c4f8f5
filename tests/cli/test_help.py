"""`--help` of every command: no wider than the terminal, and no Python in it."""

from __future__ import annotations

import inspect
import re

import pytest
from rich.cells import cell_len

from arena.cli.app import build_app, main
from arena.cli.commands import COMMANDS, GROUPS

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


def test_help_and_no_word_at_all_show_every_command_in_its_group(capsys):
    shown = []
    for words in ([], ["--help"]):
        with pytest.raises(SystemExit) as left:
            main(words)
        assert left.value.code == 0
        shown.append(capsys.readouterr())
    assert shown[0] == shown[1]
    assert not shown[0].err
    lines = iter(shown[0].out.splitlines())
    for panel, names in GROUPS.items():
        assert any(line.startswith(f"╭─ {panel} ─") for line in lines)
        for name in names:
            assert any(line.startswith(f"│ {name} ") for line in lines)


def test_commands_in_texts_can_be_pasted_by_who_calls_us_otherwise(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("ARENA_CALLED_AS", "../my project/run")
    monkeypatch.chdir(tmp_path)
    ours = "'../my project/run'"
    for words, status, said in (
        (["board", "--nothing"], 2, f"(see `{ours} board --help`)"),
        (["export", "."], 2, f"`{ours} run … --out DIR` makes one"),
        (["new", "a bot"[2:], "--folder", "my bot"], 0, f"\nNext: {ours} check 'my bot'\n"),
        (["run", "--help"], 0, f"Usage: {ours} run "),
    ):
        with pytest.raises(SystemExit) as left:
            main(words)
        assert left.value.code == status
        told = capsys.readouterr()
        assert said in told.out + told.err
        assert "`arena " not in told.out + told.err


def test_files_are_tried_by_who_reads_them_and_not_by_the_parser():
    paths = [
        (command.name, parameter.name, parameter.annotation.__metadata__[0])
        for command in build_app(None).registered_commands
        for parameter in inspect.signature(command.callback, eval_str=True).parameters.values()
        if "pathlib.Path" in str(parameter.annotation)
    ]
    assert paths
    assert [place for *place, told in paths if told.readable] == []
