"""One cache of built bots for the tests of the inspector."""

from __future__ import annotations

import pytest

from arena.bots.build import Workshop
from arena.sandbox.unconfined import Unconfined
from arena.tournament.clock import SteadyClock


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return Workshop(Unconfined(), tmp_path_factory.mktemp("cache"), SteadyClock())
