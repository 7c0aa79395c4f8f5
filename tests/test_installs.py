"""pip, pipx, uv and uvx install the wheel, and take a compiled one where there is one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
def test_the_usual_installers_install_a_wheel_that_plays(compiled, tmp_path):
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    needed = ["pipx", "uv", *(["cc"] if compiled else [])]
    if lacking := [tool for tool in needed if not shutil.which(tool, path=path)]:
        pytest.skip(f"this machine lacks {' and '.join(lacking)}")
    environment = {**os.environ, "PATH": path, "PYTHON": os.path.realpath(sys.executable)}
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    for asked in ["", *(["1"] if compiled else [])]:
        subprocess.run(
            [*build, "--wheel-dir", str(tmp_path), str(ROOT)],
            env={**environment, "ARENA_COMPILED": asked},
            check=True,
        )
    done = subprocess.run(
        ["bash", str(ROOT / ".github/try-wheels.sh"), str(tmp_path)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    kind = "(compiled)" if compiled else "(plain Python)"
    said = [f"{tool}: arena plays {kind}" for tool in ("pip", "pipx", "uv", "uvx")]
    assert done.stdout.splitlines() == said
