"""The provider `none`: no sandbox at all, for an organiser who trusts every bot.

Only an explicit `--unsandboxed` leads here. A bot still dies with the harness (parent-death signal
where the system has one), sits in a session of its own so that its tree can be killed as far as it
can be found, keeps to one core, and has limits on memory, files and descriptors. It can read,
write and call home like any program of the same user.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping

from arena.errors import SandboxError
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
from arena.sandbox.gate import GATE_FD, READY_FD, LimitsGuard, gated, rlimits, with_environment

_IN_FOLDER = 'cd "$0" && exec "$@"'

HOW: Mapping[str, tuple[Level, str]] = {
    "memory": (Level.NONE, "RLIMIT_DATA for each process, none for the tree"),
    "cores": (Level.NONE, "pinned at the start; the bot can undo it"),
    "tree-kill": (Level.WATCHED, "descendants and session are killed as far as they are found"),
    "referee-death": (Level.WATCHED, "parent-death signal; reaches the bot, not its children"),
}
"""All other capabilities are none."""


class Unconfined:
    """Starts a program with the rights of the harness."""

    name = "none"

    def __init__(self, search_path: str | None = None) -> None:
        self._search_path = search_path

    def unavailable(self) -> Unavailable | None:
        return None

    def report(self) -> CapabilityReport:
        return CapabilityReport(
            provider=self.name,
            version="",
            capabilities=tuple(
                Capability(name, *HOW.get(name, (Level.NONE, "the bot runs unsandboxed")))
                for name in CAPABILITIES
            ),
        )

    def launch(self, program: Program, limits: Limits) -> Launch:
        if program.loopback:
            raise SandboxError(
                "an adapter needs a private loopback interface; without a sandbox there is none",
                where="sandbox none",
                mend="use --sandbox bwrap or container",
            )
        path = self._search_path or os.environ.get("PATH", os.defpath)
        _check(program.argv[0], path, str(program.folder))
        setpriv = shutil.which("setpriv", path="/usr/bin:/bin")
        dies_with_us = (setpriv, "--pdeathsig", "KILL", "--") if setpriv else ()
        # The folder comes last but one, so that the gate is passed with the death signal armed.
        inner = ("/bin/sh", "-c", _IN_FOLDER, str(program.folder.resolve()))
        return Launch(
            argv=(
                *dies_with_us,
                *gated((*inner, *with_environment(program.argv, program.env))),
            ),
            env={"PATH": path, "HOME": os.path.expanduser("~"), "LANG": "C.UTF-8"},
            gate_fds=(GATE_FD,),
            ready_fd=READY_FD,
            guards=(LimitsGuard(rlimits(limits, count_processes=False), program.core),),
        )


def _check(command: str, path: str, folder: str) -> None:
    known = os.path.join(folder, command) if "/" in command else shutil.which(command, path=path)
    if known is None or not os.path.exists(known):
        raise SandboxError("no such program", where=command, mend="install it, or mend `run`")
