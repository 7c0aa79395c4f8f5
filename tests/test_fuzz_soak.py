"""The fuzzer that runs as long as you like, as long as a test run can bear."""

import subprocess
import sys
from pathlib import Path

import pytest

SECONDS = 120


@pytest.mark.long
@pytest.mark.timeout(SECONDS + 120)
def test_minutes_of_mangled_lines_and_dialogues_find_nothing() -> None:
    # In a process of its own, since it watches the memory of its process; each run another seed.
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", str(SECONDS)],
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("nothing wrong\n")
