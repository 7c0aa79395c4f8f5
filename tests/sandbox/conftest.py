"""Folders that a bot of another uid can read, and another user to run as."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.scratch import scratch_folder


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache in which the report of a provider is confirmed once for all tests that read it."""
    return tmp_path_factory.mktemp("reports")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A bot's folder as it has to be: readable by everyone, on the way there too."""
    with scratch_folder("bot") as folder:
        folder.chmod(0o755)
        yield folder
