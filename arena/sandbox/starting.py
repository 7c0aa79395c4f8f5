"""Whether a provider can start anything at all: known by trying, never by what should be there."""

from __future__ import annotations

from pathlib import Path

from arena.errors import SandboxError
from arena.process import spawn
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
