"""What can go wrong on our side or the organiser's. A bot's own failing is a `Fault` (records.py).

An `ArenaError` ends in one line for a person: what is wrong, where, and how to mend it. A match in
which one is raised is void and unrated. Any other exception is a bug and keeps its traceback.
"""

from collections.abc import Iterator
from contextlib import contextmanager


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
        raise ConfigError(what, where=str(path), mend=mend) from error


@contextmanager
def writing(path: object, *, mend: str = "") -> Iterator[None]:
    """A file that cannot be written in this block becomes a ConfigError."""
    try:
        yield
    except OSError as error:
        what = f"cannot be written: {error.strerror or error}"
        raise ConfigError(what, where=str(path), mend=mend) from error
