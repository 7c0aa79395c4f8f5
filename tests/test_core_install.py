"""What is installed without extras suffices for every command but those the extras are for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.conftest import environment

EXTRAS = ("dask", "distributed", "jinja2", "markupsafe", "matplotlib", "openskill", "playwright",
          "starlette", "uvicorn", "vl_convert", "zensical")  # fmt: skip
WITHOUT = f"""
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {EXTRAS}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing())
from arena.cli.app import main
sys.argv = ["arena", *sys.argv[1:]]
main()
"""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--help",), "Usage"),
        (("run", "random", "greedier=random", "--deals", "1", "--orbits", "1"), "2 bots"),
        (("plugins",), "callbreak"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_the_core_needs_nothing_of_the_extras(tmp_path: Path, cache: Path, words, said):
    command = [sys.executable, "-c", WITHOUT, *words]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment(cache), capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert said in done.stdout
