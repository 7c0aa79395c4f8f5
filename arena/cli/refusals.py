"""What the system refuses, in one line. Whoever meets such a refusal where it matters says more;
this is what is said of all the others."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Mapping
from types import MappingProxyType

from arena.errors import ArenaError

MENDS: Mapping[int, str] = MappingProxyType(
    {
        errno.EACCES: "get the permission, or choose another place",
        errno.EPERM: "get the permission, or choose another place",
        errno.EROFS: "choose a place that can be written",
        errno.ENOSPC: "free some disk space and start again",
        errno.EDQUOT: "free some of your disk quota and start again",
        errno.EIO: "the disk fails: choose another place",
        errno.ENAMETOOLONG: "give a shorter name",
        errno.ELOOP: "a symbolic link leads to itself: mend it",
        errno.ENOTDIR: "a part of the path is a file: give another path",
        errno.EISDIR: "this is a folder: give a file",
        errno.EMFILE: "allow more open files (`ulimit -n`)",
        errno.ENFILE: "too many files are open on this machine: close some programs",
        errno.EAGAIN: "allow more processes (`ulimit -u`), or use fewer workers",
        errno.ENOMEM: "free some memory, or use fewer workers",
    }
)
"""Refusals that are no bug of ours, and how to mend them."""


_SHOWN_CHARS = 200


def in_words(error: OSError) -> ArenaError | None:
    """What to tell a person of a refusal; None for an error that is rather a bug."""
    if isinstance(error, FileNotFoundError) and error.filename is None:
        if _is_nowhere():
            return ArenaError("the current folder is gone", mend="go to one that exists (`cd`)")
        if not _has_place_for_temporary_files():
            return ArenaError(
                "there is no folder for temporary files",
                mend="set TMPDIR to a folder in which you may write",
            )
    mend = MENDS.get(error.errno or 0)
    if mend is None:
        return None
    return ArenaError(
        error.strerror or str(error), where=_clipped(str(error.filename or "")), mend=mend
    )


def _clipped(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"


def _has_place_for_temporary_files() -> bool:
    try:
        tempfile.gettempdir()
    except FileNotFoundError:
        return False
    return True


def _is_nowhere() -> bool:
    try:
        os.getcwd()
    except OSError:
        return True
    return False
