"""What can go wrong on our side or the organiser's. A bot's own failing is a `Fault` (records.py).

An `ArenaError` ends in one line for a person: what is wrong, where, and how to mend it. A match in
which one is raised is void and unrated. Any other exception is a bug and keeps its traceback.
"""

import errno
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType

MENDS: Mapping[int, str] = MappingProxyType(
    {
        errno.EACCES: "get the permission, or choose another place",
        errno.EPERM: "get the permission, or choose another place",
        errno.EROFS: "choose a place that can be written",
        errno.ENOSPC: "free some disk space and start again",
        errno.EDQUOT: "free some of your disk quota and start again",
        errno.EFBIG: "allow larger files (`ulimit -f`)",
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


class ArenaError(Exception):
    """Says what is wrong, where, and how to mend it, in one line."""

    def __init__(self, what: str, *, where: str = "", mend: str = "") -> None:
        super().__init__(what, where, mend)
        self.what = what
        self.where = where
        self.mend = mend

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        mend = f" ({self.mend})" if self.mend else ""
        return f"{place}{self.what}{mend}"

    def __reduce__(self) -> tuple[object, ...]:
        # Errors cross process boundaries; keyword-only fields need help to be unpickled.
        return _rebuild, (type(self), self.what, self.where, self.mend)


def _rebuild(kind: type[ArenaError], what: str, where: str, mend: str) -> ArenaError:
    return kind(what, where=where, mend=mend)


class ConfigError(ArenaError):
    """The organiser's or author's input is wrong: an option, a tournament file, a bot folder."""


class SandboxError(ArenaError):
    """The sandbox cannot start or cannot enforce what the run requires."""


class StoreError(ArenaError):
    """The run folder cannot be read or written."""


class PluginError(ArenaError):
    """A plugin cannot be loaded, or does not keep its hook's promise."""


@contextmanager
def reading(path: object, *, mend: str = "") -> Iterator[None]:
    """A file that cannot be read in this block, or is no text, becomes a ConfigError."""
    try:
        yield
    except UnicodeDecodeError:
        raise ConfigError(
            "is not UTF-8 text", where=str(path), mend=mend or "save it as UTF-8"
        ) from None
    except OSError as error:
        what = f"cannot be read: {error.strerror or error}"
        raise ConfigError(
            what, where=str(path), mend=mend_of(error) or mend or "name one that is there"
        ) from error


@contextmanager
def writing(path: object, *, mend: str = "") -> Iterator[None]:
    """A file that cannot be written in this block becomes a ConfigError."""
    try:
        yield
    except OSError as error:
        what = f"cannot be written: {error.strerror or error}"
        raise ConfigError(
            what, where=str(path), mend=mend_of(error) or mend or "make its folder first"
        ) from error


def mend_of(error: OSError) -> str:
    """What mends a refusal that is no bug of ours; nothing for any other."""
    return MENDS.get(error.errno or 0, "")
