"""An unprivileged uid for every start, when the harness runs as root.

The kernel counts processes, pipe pages and keys by uid, and lets processes of one uid touch each
other. So no two bots share one: a start's uid is made of the pid of the harness process and the
number of the start within it. The range is one that systemd and others leave unused.
"""

from __future__ import annotations

import itertools
import os
from pathlib import Path

from arena.errors import SandboxError

FIRST_UID = 0x7000_0000

STARTS_EACH = 64
"""So many starts of one harness process have different uids. Pids are below 2**22, so that the
last uid is below 2**31."""


class Uids:
    """Gives out uids; as an ordinary user there is nothing to give (None)."""

    def __init__(self) -> None:
        self._starts = itertools.count()

    def next(self) -> int | None:
        if os.getuid() != 0:
            return None
        return FIRST_UID + os.getpid() * STARTS_EACH + next(self._starts) % STARTS_EACH


def check_readable(folder: Path) -> None:
    """Raises SandboxError if a uid that is not the owner's cannot read the folder."""
    if folder.stat().st_mode & 0o005 != 0o005:
        raise SandboxError(
            "the uid that the bot gets cannot read its folder",
            where=str(folder),
            mend=f"chmod -R o+rX {folder}",
        )
