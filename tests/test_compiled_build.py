"""The compiled build plays as the plain one does: the same tests, run against a wheel of it."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CHECKS = ("tests/games", "tests/protocol", "tests/referee")


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


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(bool(lacking()), reason=f"not compiled, since it lacks {lacking()}")
def test_the_compiled_build_passes_the_tests_of_rules_protocol_and_referee(tmp_path):
    made = build(tmp_path)
    assert made.returncode == 0, made.stderr
    (wheel,) = tmp_path.glob("*.whl")
    unpacked = tmp_path / "compiled"
    zipfile.ZipFile(wheel).extractall(unpacked)
    environment = {**os.environ, "PYTHONPATH": str(unpacked)}
    told = subprocess.run(
        [sys.executable, "-m", "arena", "--version"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.endswith(" (compiled)\n")
    command = [sys.executable, "-m", "pytest", "-q", "-m", "not slow", "-p", "no:cacheprovider"]
    tests = subprocess.run(
        [*command, "-o", f"pythonpath={unpacked} .", *CHECKS],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert tests.returncode == 0, tests.stdout[-4000:]


@pytest.mark.slow
@pytest.mark.skipif(not _is_there("hatchling"), reason="hatchling is not installed")
def test_without_a_compiler_the_build_says_what_is_missing(tmp_path):
    (tmp_path / "bin").mkdir()
    failed = build(tmp_path, path=str(tmp_path / "bin"))
    assert failed.returncode != 0
    assert "apt-get install gcc python3-dev" in failed.stdout + failed.stderr
    assert not list(tmp_path.glob("*.whl"))
