"""What is typed wrong, or refused by the system, ends in one harmless line and exit status 2."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from arena.cli.app import main


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


MATCH = ("match", *["random"] * 4)


@pytest.mark.parametrize("command", [MATCH, ("doctor",), ("check", "random")])
def test_a_cache_that_cannot_be_made_is_told_with_its_mend(complaint, monkeypatch, command):
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/no-such-folder")
    assert "set XDG_CACHE_HOME to a folder in which you may write" in complaint(*command)


def test_a_cache_that_cannot_be_written_is_told_with_its_mend(complaint, monkeypatch, tmp_path):
    (tmp_path / "callbreak-arena").mkdir()
    (tmp_path / "callbreak-arena/bots").write_text("a file where a folder should be")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    told = complaint(*MATCH)
    assert f"{tmp_path}/callbreak-arena/bots: the cache cannot be written" in told
    assert "set XDG_CACHE_HOME" in told


def test_a_command_that_keeps_nothing_needs_no_cache(capsys, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/no-such-folder")
    with pytest.raises(SystemExit) as left:
        main(["plugins"])
    assert left.value.code == 0
    assert "bwrap" in capsys.readouterr().out


@pytest.mark.parametrize("home", [{}, {"HOME": "relative"}, {"HOME": ""}])
def test_a_user_without_a_home_is_told_to_name_a_cache(home):
    nobody = ("unshare", "--map-user=54321", "--")  # there is no account of that number
    if subprocess.run([*nobody, "true"], capture_output=True, check=False).returncode:
        pytest.skip("unshare cannot make a user namespace here")
    path = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    told = subprocess.run(
        [*nobody, sys.executable, "-m", "arena", *MATCH],
        cwd="/",
        env=path | home,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 2
    assert told.stderr == (
        "arena: there is no home folder to keep the cache in "
        "(set XDG_CACHE_HOME to a folder in which you may write)\n"
    )


def test_no_place_for_temporary_files_is_told_with_its_mend(tmp_path):
    read_only = ("bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")
    with_cache = (*read_only, "--bind", str(tmp_path), str(tmp_path), "--chdir", "/")
    if subprocess.run([*with_cache, "true"], capture_output=True, check=False).returncode:
        pytest.skip("bwrap cannot start here")
    told = subprocess.run(
        [*with_cache, sys.executable, "-m", "arena", "doctor"],
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "XDG_CACHE_HOME": str(tmp_path),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 2
    assert told.stderr == (
        "arena: there is no folder for temporary files "
        "(set TMPDIR to a folder in which you may write)\n"
    )


@pytest.mark.parametrize("command", ["match", "play"])
def test_one_thing_is_told_in_the_singular(complaint, command):
    assert "1 bot was given" in complaint(command, "random")
    assert "2 bots were given" in complaint(command, "random", "random")


AS_NOBODY = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--")
"""Root, whom permissions bind like anybody."""


@pytest.mark.parametrize("command", ["board", "verify", "replay", "site", "import-bhoos"])
def test_a_file_that_may_not_be_read_is_told_with_its_mend(tmp_path, command):
    shut = tmp_path / "shut.jsonl"
    shut.write_text("{}\n")
    shut.chmod(0)
    told = subprocess.run(
        [*(AS_NOBODY if os.getuid() == 0 else ()), sys.executable, "-m", "arena", command, shut]
        + (["--out", tmp_path / "pages"] if command == "site" else []),
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 2
    assert told.stderr == (
        f"arena: {shut}: cannot be read: Permission denied "
        "(get the permission, or choose another place)\n"
    )


def test_a_file_without_a_folder_is_told_with_its_mend(complaint, tmp_path):
    (tmp_path / "run").mkdir()
    words = ("import-bhoos", str(tmp_path / "none.json"))
    assert "No such file or directory (name one that is there)" in complaint(*words)
    lost = str(tmp_path / "none" / "records.jsonl")
    told = complaint("match", *["random"] * 4, "--record", lost)
    assert "cannot be written: No such file or directory (make its folder first)" in told
