"""Which sandbox a run uses: the one named, or the first that does what the run requires."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from arena.errors import ConfigError, SandboxError
from arena.lookup import guess, pick
from arena.sandbox.api import CAPABILITIES, CapabilityReport, Level, Sandbox

AUTO = "auto"
UNSANDBOXED = "none"

RANKED: Mapping[str, Level] = MappingProxyType(
    {
        "network": Level.ENFORCED,
        "filesystem": Level.ENFORCED,
        "processes": Level.ENFORCED,
        "memory": Level.WATCHED,
        "cores": Level.ENFORCED,
        "disk": Level.ENFORCED,
        "tree-kill": Level.ENFORCED,
    }
)
"""What a ranked run requires at least."""


def choose(
    sandboxes: Sequence[Sandbox], name: str = AUTO, required: Mapping[str, Level] | None = None
) -> Sandbox:
    """The sandbox to use. `auto` takes the first that can be used and satisfies `required`.

    `none` is never chosen by `auto`. Raises ConfigError for an unknown name, SandboxError if the
    named one cannot be used, or none can; the message says what is missing and how to mend it.
    """
    required = required or {}
    for capability in required:
        _check_name(capability)
    if name != AUTO:
        sandbox = pick({s.name: s for s in sandboxes}, name, "sandbox")
        if (lack := lacks(sandbox, required)) is not None:
            raise SandboxError(lack[0], where=f"sandbox {name}", mend=lack[1])
        return sandbox
    found = []
    for sandbox in (s for s in sandboxes if s.name != UNSANDBOXED):
        if (lack := lacks(sandbox, required)) is None:
            return sandbox
        found.append((sandbox.name, *lack))
    raise SandboxError(
        "no sandbox can be used here: " + "; ".join(f"{n}: {why}" for n, why, _ in found),
        mend=_first_mend([mend for _, _, mend in found]),
    )


def remedy_before(sandboxes: Sequence[Sandbox], chosen: Sandbox) -> str:
    """What mends the first sandbox that `auto` would rather have taken; empty if none is amiss."""
    for better in sandboxes:
        if better is chosen:
            break
        if (why := better.unavailable()) is not None:
            return f"{better.name}: {why.remedy}"
    return ""


def lacks(sandbox: Sandbox, required: Mapping[str, Level]) -> tuple[str, str] | None:
    """What the sandbox lacks for a run, and the remedy; None if nothing."""
    if (why := sandbox.unavailable()) is not None:
        return why.reason, why.remedy
    if not required:
        return None
    lack = shortfall(sandbox.report(), required)
    if lack is None:
        return None
    return lack, "`arena doctor` shows every provider; or require less with --require"


def shortfall(report: CapabilityReport, required: Mapping[str, Level]) -> str | None:
    """The first capability of which a report gives less than is required, in words."""
    short = [(n, level) for n, level in required.items() if not report.level(n).satisfies(level)]
    if not short:
        return None
    told = {c.name: c.how for c in report.capabilities}
    name, level = short[0]
    return f"{name} is {report.level(name)}, the run requires {level} ({told.get(name, 'untold')})"


def _check_name(capability: str) -> None:
    if capability not in CAPABILITIES:
        raise ConfigError(
            f"there is no capability {capability!r}",
            where="--require",
            mend=guess(capability, CAPABILITIES),
        )


def _first_mend(mends: Sequence[str]) -> str:
    first = next(iter(mends), "install a plugin that brings a sandbox")
    return f"{first}; or run bots that you trust with --unsandboxed"
