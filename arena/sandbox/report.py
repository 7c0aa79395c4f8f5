"""Capability reports: what a provider claims, confirmed by attacks, remembered until the next boot.

A provider claims a level for each capability and says how it comes about. A trial then attacks from
inside: a claim that an attack breaks is reported as `none`, with the attack and what it achieved.
The outcome is kept in the user's cache under a key of everything that could change it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

from arena import __version__
from arena.cache import cache_folder, making_in
from arena.errors import ConfigError
from arena.sandbox.api import CAPABILITIES, Capability, CapabilityReport, Level, Sandbox
from arena.sandbox.trial import Outcome, assault
from arena.sandbox.uids import standing

Claims = Mapping[str, tuple[Level, str]]
"""Capability -> its level and how; one for each of CAPABILITIES."""


def reports_folder() -> Path:
    """Where reports are remembered."""
    return cache_folder() / "sandbox"


def confirmed(
    sandbox: Sandbox, version: str, claims: Claims, *, children: bool, cache: Path | None = None
) -> CapabilityReport:
    """The report of a provider, from the cache or by a trial (some seconds).

    `children`: programs may have any, so the attack that leaves orphans is tried.
    """
    path = (cache or reports_folder()) / f"{sandbox.name}-{_key(version, claims)}.json"
    known = _read(path)
    if known is None:
        known = holes(sandbox, claims, children=children)
        _write(path, known)
    return CapabilityReport(
        sandbox.name, version, tuple(_judged(name, claims, known) for name in CAPABILITIES)
    )


def holes(sandbox: Sandbox, claims: Claims, *, children: bool) -> dict[str, str]:
    """Capability -> the first attack that broke the claim, in words. Tries what is claimed."""
    claimed = {name for name in CAPABILITIES if claims[name][0] is not Level.NONE}
    broken: dict[str, str] = {}
    for outcome in assault(sandbox, claimed, children=children):
        broken.setdefault(outcome.capability, _told(outcome))
    return broken


def _told(outcome: Outcome) -> str:
    return f"the self-test's attack {outcome.attack} came through: {outcome.detail}"


def _judged(name: str, claims: Claims, broken: Mapping[str, str]) -> Capability:
    if name in broken:
        return Capability(name, Level.NONE, broken[name])
    return Capability(name, *claims[name])


def _key(version: str, claims: Claims) -> str:
    """Changes with the boot, the provider, our own files, who we are and the claims."""
    digest = hashlib.sha256()
    for text in (version, __version__, os.uname().release, _boot(), standing()):
        digest.update(text.encode() + b"\0")
    digest.update(repr(sorted(claims.items())).encode())
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:24]


def _boot() -> str:
    path = Path("/proc/sys/kernel/random/boot_id")
    return path.read_text().strip() if path.exists() else ""


def _read(path: Path) -> dict[str, str] | None:
    try:
        known = json.loads(path.read_text())
    except (OSError, ValueError):
        return None
    return known if isinstance(known, dict) else None


def _write(path: Path, known: Mapping[str, str]) -> None:
    """Remembers it; a cache that cannot be written only costs time."""
    try:
        with making_in(path.parent, "making-") as making:
            making.write_text(json.dumps(known))
            making.replace(path)
    except ConfigError:
        return
