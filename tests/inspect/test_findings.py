"""For every finding there is a bot that has this flaw: the inspection names it and its mend."""

from __future__ import annotations

import pytest

from arena.bots.build import Workshop
from arena.inspect.findings import CODES, Level
from arena.inspect.inspection import inspect_bot
from arena.tournament.clock import SteadyClock
from tests.inspect.subjects import FLAWED, NAMES, codes, found, subject_of

ARRIVED = {
    "no-flush": '{"id": 0}',
    "no-newline": '{"id": 0}',
    "prints": "my hand: AS",
    "stray-output": '"ok"',
    "wrong-id": '{"id": 100',
    "malformed": "{'id': 1",
    "illegal-action": '"2"',
    "output-limit": "thinking thinking",
}
LOG = {
    "exited": "no plan for a third trick",
    "memory": "MemoryError",
    "log": "asked for a play",
}
SLOW = ("slow-start", "slow-move", "slow-match")


def test_every_code_has_a_bot_with_that_flaw() -> None:
    assert sorted(CODES) == NAMES


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] if n in SLOW else []) for n in NAMES]
)
def test_a_flaw_is_named_with_its_evidence_and_its_mend(name: str, workshop: Workshop) -> None:
    inspection = inspect_bot(subject_of(FLAWED / f"{name}.py", workshop), SteadyClock())
    finding = found(inspection, name)
    assert finding.mend in str(finding)
    assert (finding.mend == CODES[name].mend) is (name != "exited")  # a traceback tells more
    assert finding.detail
    assert ARRIVED.get(name, "") in finding.arrived
    assert LOG.get(name, "") in finding.log
    is_error = CODES[name].level is Level.ERROR
    assert codes(inspection, Level.ERROR) == ({name} if is_error else set())
    assert inspection.is_fit is not is_error
