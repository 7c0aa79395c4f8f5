"""Whether a provider can start anything at all: known by trying, never by what should be there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from arena.errors import SandboxError
from arena.process import Exit, spawn
from arena.sandbox.api import Limits, Program, Sandbox

TRY_MS = 5_000.0

NOTHING = Program(Path("/usr/share"), ("/usr/bin/true",))


def refusal(sandbox: Sandbox) -> str | None:
    """Why a program that does nothing cannot be started; None if it can."""
    try:
        with spawn(sandbox.launch(NOTHING, Limits())) as it:
            it.exit(TRY_MS)
    except SandboxError as error:
        return error.what
    return None


def starts_others(sandbox: Sandbox, limits: Limits, core: int) -> bool:
    """True if it starts a program of ours under these limits, which then ends in time and well."""
    try:
        with spawn(sandbox.launch(replace(NOTHING, core=core), limits)) as it:
            return it.exit(TRY_MS) == Exit(status=0)
    except (SandboxError, OSError):
        return False
