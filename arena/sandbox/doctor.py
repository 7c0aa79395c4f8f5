"""What each provider can do on this machine, and what would have to change for more."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from arena.errors import PluginError
from arena.sandbox.api import CapabilityReport, Level, Sandbox, Unavailable
from arena.sandbox.choice import RANKED, UNSANDBOXED

REMEDIES = {
    ("bwrap", "memory"): "run as root, or under `systemd-run --user --scope -p Delegate=yes`",
    ("landlock", "memory"): "use bwrap or container",
    ("landlock", "process-count"): "use bwrap or container",
    ("container", "referee-death"): "use bwrap or landlock",
    ("*", "cpu-time"): "`pause_idle` stops bots while others think, their whole trees",
    ("*", "collusion"): "`pause_idle`; no two bots of one author at a table",
    ("none", "*"): "do not run unsandboxed",
}
"""Provider and capability (`*`: any) -> what to do about a level below `enforced`."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A provider: why it cannot be used, or its report and what that lacks for a ranked run."""

    name: str
    unavailable: Unavailable | None = None
    report: CapabilityReport | None = None
    short_of: tuple[str, ...] = ()

    @property
    def is_fit(self) -> bool:
        """True if ranked runs can use it."""
        return self.report is not None and not self.short_of and self.name != UNSANDBOXED


def examine(sandboxes: Iterable[Sandbox]) -> list[Finding]:
    """A finding for each provider; takes some seconds the first time after a boot."""
    return [_examine(sandbox) for sandbox in sandboxes]


def remedy(provider: str, capability: str, level: Level) -> str:
    """One line about what to do; empty if the level is the best."""
    if level is Level.ENFORCED:
        return ""
    keys = ((provider, capability), (provider, "*"), ("*", capability))
    return next((REMEDIES[key] for key in keys if key in REMEDIES), "use another provider")


def _examine(sandbox: Sandbox) -> Finding:
    try:
        if (why := sandbox.unavailable()) is not None:
            return Finding(sandbox.name, why)
        report = sandbox.report()
    except PluginError as error:  # whatever a plugin does wrong, the others are shown
        return Finding(sandbox.name, Unavailable(error.what, error.mend))
    short = tuple(n for n, level in RANKED.items() if not report.level(n).satisfies(level))
    return Finding(sandbox.name, report=report, short_of=short)
