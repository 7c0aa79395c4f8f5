"""How a run comes to its sandbox."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import ConfigError, SandboxError
from arena.process import Launch
from arena.sandbox.api import (
    CAPABILITIES,
    Capability,
    CapabilityReport,
    Level,
    Limits,
    Program,
    Unavailable,
)
from arena.sandbox.choice import RANKED, choose
from arena.sandbox.unconfined import Unconfined


class Shelf:
    """A provider that is only described."""

    def __init__(self, name: str, why: Unavailable | None = None, **levels: Level) -> None:
        self.name = name
        self._why = why
        self._levels = {name.replace("_", "-"): level for name, level in levels.items()}

    def unavailable(self) -> Unavailable | None:
        return self._why

    def report(self) -> CapabilityReport:
        levels = ((name, self._levels.get(name, Level.ENFORCED)) for name in CAPABILITIES)
        return CapabilityReport(self.name, "1", tuple(Capability(n, x, "so") for n, x in levels))

    def launch(self, program: Program, limits: Limits) -> Launch:
        return Launch((program.argv[0],))


MISSING = Shelf("first", Unavailable("it is not installed", "apt install first"))


def test_auto_takes_the_first_that_can_be_used():
    assert choose([MISSING, Shelf("second"), Shelf("third")]).name == "second"


def test_auto_passes_over_what_does_not_satisfy_the_run():
    weak = Shelf("weak", memory=Level.NONE)
    assert choose([weak, Shelf("strong")], required=RANKED).name == "strong"
    assert choose([weak, Shelf("strong")]).name == "weak"


def test_auto_never_takes_no_sandbox():
    with pytest.raises(SandboxError, match=r"apt install first; or .*--unsandboxed"):
        choose([MISSING, Unconfined()])


def test_no_sandbox_is_taken_when_named():
    assert choose([MISSING, Unconfined()], "none").name == "none"


def test_a_refusal_names_the_missing_capability_and_its_levels():
    weak = Shelf("weak", memory=Level.WATCHED)
    with pytest.raises(SandboxError, match="memory is watched, the run requires enforced"):
        choose([weak], "weak", {"memory": Level.ENFORCED})


def test_an_unknown_name_is_refused_with_the_known_ones():
    with pytest.raises(ConfigError, match="known: first, none"):
        choose([MISSING, Unconfined()], "elsewhere")


def test_the_unconfined_report_promises_nothing_by_the_kernel():
    levels = {c.level for c in Unconfined(str(Path("/usr/bin"))).report().capabilities}
    assert Level.ENFORCED not in levels
