"""One cache of built bots for the tests of the inspector."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from arena.bots.build import Workshop
from arena.sandbox.unconfined import Unconfined
from arena.tournament.clock import SteadyClock


@pytest.fixture(scope="session")
def workshop(made_once: Callable[..., Path]) -> Workshop:
    cache = made_once("cache-of-the-inspector", lambda folder: None)
    return Workshop(Unconfined(), cache, SteadyClock())
