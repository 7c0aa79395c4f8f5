"""What holds for root holds for an ordinary user: the tests beside this one, run again as one.

The tests run as root in CI and as somebody elsewhere. Where they run as root, this one copies the
package and the tests to a place that everyone can read, and runs them as a user without rights.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.scratch import scratch_folder

HERE = Path(__file__).parent
USER = "54321"
NEEDED = ("arena", "_pytest", "pytest", "pluggy", "iniconfig", "packaging", "platformdirs", "py")
AGAIN = (
    "test_attacks.py",
    "test_bubblewrap.py",
    "test_ends.py",
    "test_environment.py",
    "test_process.py",
    "test_toolchain_layouts.py",
)
ONCE = "nothing_stops_it or without_a_sandbox or made_once or reported_as_none or killed_at_any"
"""These say nothing about the user who runs them, or take long."""

MARKS = "not long"
"""The long forms too would run, since no conftest of ours is there to leave them out."""


def interpreter() -> str:
    """A Python that every user can run: this one, or the system's."""
    own = Path(sys.executable).resolve()
    open_to_all = all(folder.stat().st_mode & 0o001 for folder in own.parents)
    for python in (str(own), "/usr/bin/python3") if open_to_all else ("/usr/bin/python3",):
        command = ["setpriv", "--reuid", USER, "--regid", USER, "--clear-groups", python, "-c"]
        told = subprocess.run([*command, "import sys; print(sys.version_info >= (3, 11))"],
                              capture_output=True, text=True, check=False, cwd="/")  # fmt: skip
        if told.stdout.strip() == "True":
            return python
    pytest.fail("no Python from 3.11 on that an ordinary user can run: apt install python3")


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(os.getuid() != 0, reason="the tests run as an ordinary user already")
def test_everything_here_holds_for_an_ordinary_user():
    python = interpreter()
    with scratch_folder("user") as place:
        copy_what_is_needed(place)
        command = ("setpriv", "--reuid", USER, "--regid", USER, "--clear-groups", python, "-m")
        scratch = place / "scratch"
        scratch.mkdir()
        scratch.chmod(0o777)
        options = ("-q", "-x", "-p", "no:cacheprovider", "--import-mode=importlib")
        options += (f"--basetemp={scratch / 'pytest'}", "-m", MARKS, "-k")
        done = subprocess.run(
            [*command, "pytest", *options, f"not ({ONCE})", "tests"],
            cwd=place,
            env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert " passed" in done.stdout


def copy_what_is_needed(place: Path) -> None:
    """The package, the tests, and pytest itself, readable by everyone."""
    ignore = shutil.ignore_patterns("__pycache__")
    for module in NEEDED:
        spec = importlib.util.find_spec(module)
        assert spec is not None
        assert spec.origin is not None
        origin = Path(spec.origin)
        if origin.name == "__init__.py":
            shutil.copytree(origin.parent, place / module, ignore=ignore)
        else:
            shutil.copy(origin, place)
    (place / "tests").mkdir()
    for name in ("conftest.py", *AGAIN):
        shutil.copy(HERE / name, place / "tests")
    (place / "pytest.ini").write_text("[pytest]\nmarkers =\n    long:\n    slow:\n    timeout:\n")
    for path in (place, *place.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
