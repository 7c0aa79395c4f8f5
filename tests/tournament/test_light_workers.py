"""A process that only plays matches starts with little."""

from __future__ import annotations

import subprocess
import sys

SOURCE = """
import sys
import arena.tournament.executors
from arena import plugins
plugins.build_manager(builtin=plugins.TO_PLAY, entry_points=False)
print(*sorted({"numpy", "pydantic", "rich", "dask"} & set(sys.modules)))
"""


def test_a_worker_imports_nothing_of_boards_ratings_and_settings():
    done = subprocess.run(
        [sys.executable, "-c", SOURCE], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
