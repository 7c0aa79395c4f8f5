"""Bots to be inspected, without a sandbox: one for each flaw in `flawed`, under fitting limits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from arena.bots.build import Workshop, build_bot
from arena.bots.bundled import bundled_bots
from arena.bots.resolve import resolve
from arena.games.callbreak.game import Callbreak
from arena.inspect.findings import Finding, Level
from arena.inspect.inspection import Inspection
from arena.inspect.subject import Patience, Subject
from arena.referee.api import TimeLimits
from arena.sandbox.api import Limits
from arena.sandbox.unconfined import Unconfined

FLAWED = Path(__file__).parent / "flawed"
NAMES = sorted(path.stem for path in FLAWED.glob("*.py"))

ROOMY = TimeLimits(start_ms=20_000, move_ms=10_000, match_ms=60_000, grace_ms=200)
PATIENCE = Patience(late_ms=1_000, beside_ms=250, idle_ms=50, leave_ms=2_000)

TIMES = {
    "no-flush": replace(ROOMY, start_ms=1_000),
    "no-newline": replace(ROOMY, start_ms=2_000),
    "start-timeout": replace(ROOMY, start_ms=500),
    "timeout": replace(ROOMY, move_ms=1_000),
    "slow-start": replace(ROOMY, start_ms=3_200),
    "slow-move": replace(ROOMY, move_ms=4_000),
    "slow-match": replace(ROOMY, match_ms=8_000),
}
MEMORY_MB = {"memory": 64, "memory-high": 68}


def subject_of(path: Path, workshop: Workshop) -> Subject:
    """A bot, ready to be inspected under the limits that its flaw needs."""
    return Subject(
        bot=build_bot(resolve(str(path), bundled_bots()), workshop),
        sandbox=Unconfined(),
        game=Callbreak(),
        variant=Callbreak().variant("master"),
        times=TIMES.get(path.stem, ROOMY),
        limits=Limits(memory_mb=MEMORY_MB.get(path.stem, 512)),
        patience=PATIENCE,
    )


def found(inspection: Inspection, code: str) -> Finding:
    """The finding of that code, which must be there."""
    return next(finding for finding in inspection.findings if finding.code == code)


def codes(inspection: Inspection, level: Level) -> set[str]:
    """The codes of all findings of that level."""
    return {finding.code for finding in inspection.findings if finding.level is level}
