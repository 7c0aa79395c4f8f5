"""`./run`, the newcomer's way in, where what it needs is not there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from arena.cli.commands import GROUPS

RUN = Path(__file__).parent.parent / "run"


def test_without_a_word_it_lists_every_command_in_its_group():
    done = subprocess.run([RUN], capture_output=True, text=True, check=True)
    for panel, names in GROUPS.items():
        assert re.search(rf"^  {panel.lower()}  +{', '.join(names)}$", done.stdout, re.M)
    assert "./run test" in done.stdout


SETS_UP = """#!/bin/sh
[ "$2" = venv ] || exit 0
mkdir -p "$4/bin"
for name in python arena; do
    printf '#!/bin/sh\\n[ "$1" = -m ] || echo "%s $*"\\n' $name > "$4/bin/$name"
    chmod +x "$4/bin/$name"
done
"""
"""A Python that is recent enough and makes an environment of two programs that say their words."""


def test_a_python_that_is_named_and_does_not_serve_is_told_and_no_other_is_taken(tmp_path):
    old = tmp_path / "old-python"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    for python in ("/no/such/python", str(old)):
        done = subprocess.run(
            [RUN, "demo"],
            env={**os.environ, "PYTHON": python},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1
        assert done.stderr.splitlines()[-1] == (
            f"run: PYTHON={python} is no Python 3.11 or later: name another one, or unset PYTHON"
        )


def test_a_python_with_a_space_in_its_path_serves(tmp_path):
    shutil.copy(RUN, tmp_path)
    shutil.copy(RUN.parent / "pyproject.toml", tmp_path)
    python = tmp_path / "my python"
    python.write_text(SETS_UP)
    python.chmod(0o755)
    done = subprocess.run(
        [tmp_path / "run", "rules", "--variant", "bhoos"],
        env={**os.environ, "PYTHON": str(python)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "arena rules --variant bhoos\n", done.stderr


SETS_UP_SLOWLY = SETS_UP.replace(
    'mkdir -p "$4/bin"', 'echo "$4" >> "$MADE"; sleep 0.5; mkdir -p "$4/bin"'
)


@pytest.fixture
def project(tmp_path):
    """A project of the script alone, and how to call a script with a Python that makes programs."""
    folder = tmp_path / "project"
    folder.mkdir()
    shutil.copy(RUN, folder)
    shutil.copy(RUN.parent / "pyproject.toml", folder)
    python = tmp_path / "python"
    python.write_text(SETS_UP_SLOWLY)
    python.chmod(0o755)
    env = {**os.environ, "PYTHON": str(python), "MADE": str(tmp_path / "made")}

    def call(script, **more):
        return subprocess.Popen(
            [script, "rules"], env=env | more, stdout=subprocess.PIPE, text=True, cwd=tmp_path
        )

    return folder, call, tmp_path / "made"


def test_a_copied_or_moved_project_makes_an_environment_of_its_own(project):
    folder, call, made = project
    assert call(folder / "run").communicate()[0] == "arena rules\n"
    copy, moved = folder.with_name("copy"), folder.with_name("moved")
    shutil.copytree(folder, copy, symlinks=True)
    folder.rename(moved)
    for place in (copy, moved, moved):
        assert call(place / "run").communicate()[0] == "arena rules\n"
    assert made.read_text().split() == [f"{place}/.venv" for place in (folder, copy, moved)]


def test_a_linked_script_finds_its_own_folder_whatever_cdpath_is(project):
    folder, call, made = project
    (folder.parent / "bin").mkdir()
    (folder.parent / "bin/first").symlink_to(folder / "run")
    (folder.parent / "bin/second").symlink_to("first")
    (folder.parent / "elsewhere/project").mkdir(parents=True)
    elsewhere = str(folder.parent / "elsewhere")
    assert call("bin/second", CDPATH=elsewhere).communicate()[0] == "arena rules\n"
    assert call("project/run", CDPATH=elsewhere).communicate()[0] == "arena rules\n"
    assert made.read_text().split() == [f"{folder}/.venv"]


def test_two_first_runs_at_once_set_up_once(project):
    folder, call, made = project
    both = [call(folder / "run"), call(folder / "run")]
    assert [run.communicate()[0] for run in both] == ["arena rules\n"] * 2
    assert len(made.read_text().split()) == 1
