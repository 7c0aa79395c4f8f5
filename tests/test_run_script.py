"""`./run`, the newcomer's way in, where what it needs is not there."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

RUN = Path(__file__).parent.parent / "run"


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
