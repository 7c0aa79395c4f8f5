"""The compiled build plays as the plain one does: the same tests, run against a wheel of it."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.referee.fuzz import digests

ROOT = Path(__file__).parent.parent
CHECKS = ("tests/games", "tests/protocol", "tests/referee")
MATCHES = 60
"""A variant: more than three thousand decisions."""


def lacking() -> str:
    """What a compiled build needs and this machine has not."""
    tools = [name for name in ("hatchling", "mypyc", "setuptools") if not _is_there(name)]
    headers = Path(sysconfig.get_path("include"), "Python.h")
    missing = [*tools, *(["a C compiler"] if not shutil.which("cc") else [])]
    return ", ".join([*missing, *([] if headers.exists() else ["Python's headers"])])


def _is_there(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def build(folder: Path, *, path: str | None = None) -> subprocess.CompletedProcess[str]:
    """A compiled wheel in the folder."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    return subprocess.run(
        [*command, "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT)],
        env={**os.environ, "ARENA_COMPILED": "1", "PATH": path or os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )


def run_from(packages: Path, program: str, *arguments: str) -> str:
    """What a program prints that imports the packages of a wheel, and the tests from here."""
    first = f"import sys; sys.path[:0] = [{str(packages)!r}, {str(ROOT)!r}]"
    second = "from arena.referee import match; assert not match.__file__.endswith('.py')"
    done = subprocess.run(
        [sys.executable, "-c", f"{first}\n{second}\n{program}", *arguments],
        cwd=packages,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def packages(made_once: Callable[..., Path]) -> Path:
    """A folder with what is in a compiled wheel."""
    return made_once("compiled", unpacked_wheel)


def unpacked_wheel(folder: Path) -> None:
    made = build(folder)
    assert made.returncode == 0, made.stderr
    (wheel,) = folder.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(folder)


needs_a_compiler = pytest.mark.skipif(
    bool(lacking()), reason=f"not compiled, since this machine lacks {lacking()}"
)


@pytest.mark.slow
@pytest.mark.timeout(600)
@needs_a_compiler
def test_the_compiled_build_says_what_it_is(packages: Path) -> None:
    program = "from arena.cli.app import main; main(['--version'])"
    assert run_from(packages, program).endswith(" (compiled)\n")


@pytest.mark.slow
@pytest.mark.timeout(600)
@needs_a_compiler
@pytest.mark.parametrize(
    "which", ["not slow and not quiet", pytest.param("not slow", marks=pytest.mark.long)]
)
def test_the_compiled_build_passes_the_tests_of_rules_protocol_and_referee(
    packages: Path, which: str
) -> None:
    """Those that measure wait for most of their time, on what is not compiled: clocks and bots."""
    program = f"import os, pytest; os.chdir({str(ROOT)!r}); sys.exit(pytest.main(sys.argv[1:]))"
    options = [
        "-q",
        "-n",
        "0",
        "-m",
        which,
        "-p",
        "no:cacheprovider",
        "-o",
        f"pythonpath={packages} .",
    ]
    run_from(packages, program, *options, *CHECKS)


@pytest.mark.slow
@pytest.mark.timeout(600)
@needs_a_compiler
def test_both_builds_ask_and_record_the_same_whatever_bots_say(packages: Path) -> None:
    program = "import json; from tests.referee import fuzz; print(json.dumps(fuzz.digests({})))"
    assert json.loads(run_from(packages, program.format(MATCHES))) == digests(MATCHES)


@pytest.mark.slow
@pytest.mark.skipif(not _is_there("hatchling"), reason="hatchling is not installed")
def test_without_a_compiler_the_build_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    failed = build(tmp_path, path=str(tmp_path / "bin"))
    assert failed.returncode != 0
    assert "ARENA_COMPILED needs a C compiler" in failed.stdout + failed.stderr
    assert "apt-get install gcc python3-dev" in failed.stdout + failed.stderr
    assert not list(tmp_path.glob("*.whl"))
