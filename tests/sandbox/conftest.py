"""Folders that a bot of another uid can read, and another user to run as."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def folder() -> Iterator[Path]:
    """A bot's folder as it has to be: readable by everyone, on the way there too."""
    with tempfile.TemporaryDirectory(prefix="bot-") as name:
        Path(name).chmod(0o755)
        yield Path(name)
