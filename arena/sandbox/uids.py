"""An unprivileged uid for every start, when the harness runs as root and has uids to give.

The kernel counts processes, pipe pages and keys by uid, and lets processes of one uid touch each
other. So no two bots share one: a start's uid is made of the pid of the harness process and the
number of the start within it, and is not given again while its bot lives (bots are kept running
for hundreds of matches, while others beside them are started again and again). The range is one
that systemd and others leave unused. The root of a
user namespace often has only a few uids, or one; then it is as good as an ordinary user.
"""

from __future__ import annotations

import itertools
import os
from dataclasses import dataclass
from pathlib import Path

from arena.errors import SandboxError
from arena.process import Exit

FIRST_UID = 0x7000_0000
BEYOND_UID = 0x8000_0000

STARTS_EACH = 4096
"""So many bots of one harness process may live at once, each with a uid of its own."""

HARNESSES = (BEYOND_UID - FIRST_UID) // STARTS_EACH
"""Pids as far apart as this share uids: those of one machine's harnesses lie close together."""


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
        self._taken: set[int] = set()

    def next(self) -> int | None:
        if not self._has_any:
            return None
        first = FIRST_UID + os.getpid() % HARNESSES * STARTS_EACH
        for start in itertools.islice(self._starts, STARTS_EACH):
            if (uid := first + start % STARTS_EACH) not in self._taken:
                return uid
        raise SandboxError(f"{STARTS_EACH} bots run already", mend="set `most_processes` lower")

    def guards(self, uid: int | None) -> tuple[UidGuard, ...]:
        """What keeps the uid from being given again while its bot lives."""
        return () if uid is None else (UidGuard(self._taken, uid),)


@dataclass(frozen=True, slots=True)
class UidGuard:
    """A uid is taken from the start of a bot to its end. It is its own hold."""

    taken: set[int]
    uid: int

    def attach(self, pid: int, pidfd: int) -> UidGuard:
        self.taken.add(self.uid)
        return self

    def verdict(self) -> Exit | None:
        return None

    def release(self) -> None:
        self.taken.discard(self.uid)


def check_readable(folder: Path) -> None:
    """Raises SandboxError if a uid that is not the owner's cannot read the folder."""
    if folder.stat().st_mode & 0o005 != 0o005:
        raise SandboxError(
            "the uid that the bot gets cannot read its folder",
            where=str(folder),
            mend=f"chmod -R o+rX {folder}",
        )
