"""The kit passes what keeps its promises, and names what does not."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from arena.process import Launch
from arena.sandbox.api import (
    CAPABILITIES,
    Capability,
    CapabilityReport,
    Level,
    Limits,
    Program,
)
from arena.sandbox.bubblewrap import Bubblewrap
from arena.sandbox.landlock import Landlock
from arena.sandbox.unconfined import Unconfined
from arena.testing.sandbox import check_sandbox


class Boaster(Unconfined):
    """No sandbox, with the report of one that withstands attacks of five kinds."""

    def report(self) -> CapabilityReport:
        boasts = {"network", "filesystem", "processes", "cores", "disk"}
        capabilities = (
            Capability(n, Level.ENFORCED if n in boasts else Level.NONE, "so it says")
            for n in CAPABILITIES
        )
        return CapabilityReport(self.name, "1", tuple(capabilities))


class Leaky(Bubblewrap):
    """A sandbox that lets the harness's environment in, and forgets most capabilities."""

    def report(self) -> CapabilityReport:
        report = super().report()
        filesystem = (c for c in report.capabilities if c.name == "filesystem")
        return dataclasses.replace(report, capabilities=tuple(filesystem))

    def launch(self, program: Program, limits: Limits) -> Launch:
        leaky = dataclasses.replace(program, env={**program.env, "ARENA_KIT_SECRET": "secret"})
        return super().launch(leaky, limits)


@pytest.mark.slow
@pytest.mark.parametrize("provider", [Bubblewrap, Landlock], ids=lambda provider: provider.name)
def test_a_provider_that_keeps_its_promises_passes(provider, reports: Path):
    check_sandbox(provider(cache=reports))


@pytest.mark.slow
def test_empty_promises_are_found_by_attack():
    with pytest.raises(AssertionError) as found:
        check_sandbox(Boaster())
    for attack in ("connect-tcp4", "read-home", "write-own-folder", "signal-others", "leave-core"):
        assert f"{attack}: " in str(found.value)


@pytest.mark.slow
def test_a_leak_and_a_lack_are_found(reports: Path):
    with pytest.raises(AssertionError) as found:
        check_sandbox(Leaky(cache=reports))
    assert "environment: the harness's variables are there" in str(found.value)
    assert "report: it names other capabilities" in str(found.value)
