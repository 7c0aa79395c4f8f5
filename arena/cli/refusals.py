"""What the system refuses, in one line. Whoever meets such a refusal where it matters says more;
this is what is said of all the others."""

from __future__ import annotations

import os
import tempfile

from arena.errors import ArenaError, mend_of

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
    mend = mend_of(error)
    if not mend:
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
