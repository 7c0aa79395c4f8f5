"""What is typed wrong, or refused by the system, ends in one harmless line and exit status 2."""

from __future__ import annotations

import os

import pytest

from arena.cli.app import main


@pytest.fixture
def complaint(capsys):
    """`complaint(*words)`: the one line that the command ends with."""

    def call(*words: str) -> str:
        with pytest.raises(SystemExit) as left:
            main(words)
        assert left.value.code == 2
        told = capsys.readouterr()
        assert told.out == ""
        assert told.err.count("\n") == 1
        return told.err

    return call


@pytest.mark.parametrize(
    "words",
    [
        ("run", "random", "counting", "--seed", ""),
        ("run", "random", "counting", "--seed="),
        ("run", "random", "counting", "--out", ""),
        ("run", "", "counting"),
        ("match", "random", "random", "random", "random", "--variant", ""),
        ("board", ""),
        ("",),
    ],
)
def test_an_empty_argument_is_refused(complaint, words):
    assert "an argument is empty" in complaint(*words)


@pytest.mark.parametrize(
    "words",
    [
        ("match", "random", "random", "random", "\x1b[31m"),
        ("board", "\x1b]0;title\x07"),
        ("\x1b[31m",),
        ("rules", "--variant", "\x9b31m"),
    ],
)
def test_a_complaint_drives_no_terminal(complaint, words):
    assert complaint(*words).rstrip("\n").isprintable()


@pytest.mark.parametrize("command", ["board", "verify", "export", "run"])
def test_a_name_that_is_too_long_for_the_system_is_refused(complaint, command):
    name = "x" * 300
    words = (name, "random") if command == "run" else (name,)
    complaint(command, *words)


def test_a_run_into_a_folder_that_is_gone_is_refused(complaint, tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    os.rmdir(gone)
    assert "current folder is gone" in complaint("run", "random", "counting")


@pytest.mark.parametrize("command", [("match", *["random"] * 4), ("doctor",), ("check", "random")])
def test_a_cache_that_cannot_be_made_is_told_with_its_mend(complaint, monkeypatch, command):
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/no-such-folder")
    assert "set XDG_CACHE_HOME to a folder in which you may write" in complaint(*command)
