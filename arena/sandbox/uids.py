"""An unprivileged uid for every start, when the harness runs as root and has uids to give.

The kernel counts processes, pipe pages and keys by uid, and lets processes of one uid touch each
other. So no two bots share one: a start's uid is made of the pid of the harness process and the
number of the start within it. The range is one that systemd and others leave unused. The root of a
user namespace often has only a few uids, or one; then it is as good as an ordinary user.
"""

from __future__ import annotations

import itertools
import os
from pathlib import Path

from arena.errors import SandboxError

FIRST_UID = 0x7000_0000
BEYOND_UID = 0x8000_0000

STARTS_EACH = 64
"""So many starts of one harness process have different uids. Pids are below 2**22, so that the
last uid is below BEYOND_UID."""


def rules_uids() -> bool:
    """True if we are root, and of a user namespace in which all those uids exist."""
    if os.getuid() != 0:
        return False
    maps = (Path(f"/proc/self/{kind}_map") for kind in ("uid", "gid"))
    return all(_holds_ours(path.read_text()) for path in maps if path.exists())


def standing() -> str:
    """Who we are, in which user namespace: what is enforced depends on it."""
    uids = Path("/proc/self/uid_map")
    return f"{os.getuid()} of {uids.read_text() if uids.exists() else ''}"


def _holds_ours(text: str) -> bool:
    """True if one line of a map (first inside, first outside, how many) holds the whole range."""
    lines = (map(int, line.split()) for line in text.splitlines())
    return any(first <= FIRST_UID and first + count >= BEYOND_UID for first, _, count in lines)


class Uids:
    """Gives out uids; where there is nothing to give, None."""

    def __init__(self) -> None:
        self._starts = itertools.count()
        self._has_any = rules_uids()

    def next(self) -> int | None:
        if not self._has_any:
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
