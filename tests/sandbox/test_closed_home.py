"""As root a bot has a uid of its own, which has to reach the cache that the bot lies in."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.sandbox import confine

pytestmark = pytest.mark.skipif(
    os.getuid() != 0 or confine.landlock_abi() < 1, reason="for root, on a kernel with Landlock"
)


@pytest.fixture
def home() -> Iterator[Path]:
    """A home where everybody can get to it; its own mode is the test's."""
    with tempfile.TemporaryDirectory(prefix="home-", dir="/var/tmp") as folder:
        yield Path(folder)


def arena(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "arena", *words],
        env={
            **{k: v for k, v in os.environ.items() if k != "XDG_CACHE_HOME"},
            "HOME": str(home),
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        },
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_cache_below_a_closed_home_is_told_with_its_remedy_and_charged_to_no_bot(home):
    home.chmod(0o700)
    done = arena(home, "match", *["random"] * 4, "--deals", "1", "--sandbox", "landlock")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert f"cannot pass {home} on the way to the cache" in done.stderr
    assert "set XDG_CACHE_HOME to a folder that everybody may enter" in done.stderr


def test_below_an_open_home_landlock_plays_as_root(home):
    home.chmod(0o711)
    done = arena(home, "match", *["random"] * 4, "--deals", "1", "--sandbox", "landlock")
    assert done.returncode == 0, done.stderr
    assert "exited" not in done.stdout
