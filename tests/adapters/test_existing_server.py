"""A manifest is written beside an existing server, by what its folder says about its start."""

from __future__ import annotations

import subprocess
import sys
import tomllib

import pytest

from arena.adapters.bhoos.existing import find_start, manifest_for
from arena.errors import ConfigError

NODE_PACKAGE = '{"scripts": {"start": "node src/index.js"}}'
CASES = {
    "docker shell form": (
        {"Dockerfile": "FROM python\nEXPOSE 7000\nCMD DEBUG=0 python3 src/app.py\n"},
        ("python3", "src/app.py"),
        {"DEBUG": "0"},
    ),
    "docker exec form with variables": (
        {"Dockerfile": 'ENV A=1 B="two words"\nENV C three\ncmd ["python3", "-u", "app.py"]'},
        ("python3", "-u", "app.py"),
        {"A": "1", "B": "two words", "C": "three"},
    ),
    "docker continued line": (
        {"Dockerfile": "CMD python3 \\\n  app.py"},
        ("python3", "app.py"),
        {},
    ),
    "docker yarn": (
        {"Dockerfile": 'CMD ["yarn", "start"]', "package.json": NODE_PACKAGE},
        ("node", "src/index.js"),
        {},
    ),
    "docker two commands": (
        {"Dockerfile": "CMD cd src && python3 app.py"},
        ("sh", "-c", "cd src && python3 app.py"),
        {},
    ),
    "package script": ({"package.json": NODE_PACKAGE}, ("node", "src/index.js"), {}),
    "package main": ({"package.json": '{"main": "bot.js"}'}, ("node", "bot.js"), {}),
    "broken package, usual file": (
        {"package.json": "{", "src/app.py": ""},
        ("python3", "src/app.py"),
        {},
    ),
    "usual file": ({"index.js": ""}, ("node", "index.js"), {}),
}


def lay(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.mark.parametrize("case", CASES)
def test_the_start_is_found(tmp_path, case):
    files, run, env = CASES[case]
    lay(tmp_path, files)
    start = find_start(tmp_path)
    assert (start.run, dict(start.env)) == (run, env)
    manifest = tomllib.loads(manifest_for(tmp_path))
    assert (manifest["run"], manifest["adapter"]) == (list(run), "bhoos")
    assert manifest.get("env", {}) == env


def test_a_folder_that_does_not_say_is_an_error(tmp_path):
    with pytest.raises(ConfigError, match="cannot be told how this bot is started"):
        find_start(tmp_path)


def arena_new(folder):
    return subprocess.run(
        [sys.executable, "-m", "arena", "new", "--from", "bhoos", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_a_server_adopted_by_the_command_plays(server, play, tmp_path):
    folder = tmp_path / "adopted"
    server("adopted", "node")
    (folder / "bot.toml").unlink()
    assert arena_new(folder).returncode == 0
    assert play([str(folder), "random", "random", "random"]).faults == ()


def test_a_manifest_is_never_overwritten(server, tmp_path):
    server("kept", "node")
    done = arena_new(tmp_path / "kept")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "is there already" in done.stderr


@pytest.mark.parametrize("kind", ["dangling", "a file"])
def test_a_manifest_is_written_through_no_link(server, tmp_path, kind):
    folder, target = tmp_path / "linked", tmp_path / "target"
    server("linked", "node")
    (folder / "bot.toml").unlink(missing_ok=True)
    if kind == "a file":
        target.write_text("precious")
    (folder / "bot.toml").symlink_to(target)
    done = subprocess.run(
        [sys.executable, "-m", "arena", "new", "--from", "bhoos", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, target.exists()) == (2, kind == "a file")
    assert "is there already" in done.stderr
