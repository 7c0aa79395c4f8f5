"""`./run`, the newcomer's way in, where what it needs is not there."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

RUN = Path(__file__).parent.parent / "run"

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
