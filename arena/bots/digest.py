"""Which files are a bot, and the one SHA-256 that stands for them.

Theory of operation. A bot never plays from its author's folder: it plays from a private copy that
holds the files listed here and nothing else (`build.py`). So what is hashed is what is played, and
editing a bot during a run changes nothing in the run.

Part of a bot is every regular file below its folder, hidden ones and `node_modules` included,
except what version control, interpreters and build tools leave behind: folders named in `LEFT_OUT`,
folders that carry a `CACHEDIR.TAG` (Cargo's `target`, the caches of pytest, mypy and ruff), and
compiled Python. Nor are the run folders that `arena` itself made there. Empty folders do not count.
A symbolic link counts as its target's text and is copied as a link, never followed; a relative one
must stay inside the folder.

The digest is SHA-256 over the entries in the byte order of their paths, each written as one letter
(`f` file, `x` executable file, `l` link), the path with `/`, NUL, the length of the content in
decimal, NUL, the content (of a link: its target).
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.bots.foreign import MAX_DEPTH, open_file
from arena.errors import ConfigError, reading
from arena.store.database import DATABASE

LEFT_OUT = frozenset({".git", ".hg", ".svn", "__pycache__"})
_LEFT_OUT_SUFFIXES = (".pyc", ".pyo")
_MARKS = frozenset({"CACHEDIR.TAG", DATABASE})
"""A folder in a bot's that holds one of these is a cache, or a run of ours."""

MAX_BYTES = 512 * 1024 * 1024
MAX_FILES = 20_000


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """One file of a bot. `path` is relative, as bytes; `kind` is `f`, `x` or `l`."""

    path: bytes
    kind: str
    size_bytes: int

    def under(self, folder: Path) -> Path:
        return folder / os.fsdecode(self.path)


def list_files(folder: Path, only: str = "") -> tuple[Entry, ...]:
    """The bot's files in digest order. Raises ConfigError for what cannot be part of a bot."""
    paths = iter([folder / only]) if only else _walk(folder)
    entries: list[Entry] = []
    total_bytes = 0
    for path in paths:
        entry = _entry(folder, path)
        total_bytes += entry.size_bytes
        if total_bytes > MAX_BYTES or len(entries) >= MAX_FILES:
            raise ConfigError(
                f"the bot is larger than {MAX_BYTES >> 20} MB or {MAX_FILES} files",
                where=str(folder),
                mend="move what the bot does not need out of its folder",
            )
        entries.append(entry)
    return tuple(sorted(entries))


def digest_of(folder: Path, entries: tuple[Entry, ...]) -> str:
    """The SHA-256 of these files, in hexadecimal."""
    sha = hashlib.sha256()
    for entry in entries:
        sha.update(entry.kind.encode() + entry.path + b"\0%d\0" % entry.size_bytes)
        for block in _content(entry, folder):
            sha.update(block)
    return sha.hexdigest()


def copy_files(folder: Path, entries: tuple[Entry, ...], target: Path) -> None:
    """The files stand in `target`, readable by all; only their executable bits are kept.

    Raises ConfigError if one cannot be read, OSError if its copy cannot be made.
    """
    for entry in sorted(entries, key=lambda each: each.kind == "l"):  # no link to write through
        source, copy = entry.under(folder), entry.under(target)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if entry.kind == "l":
            with reading(source):
                leads_to = os.readlink(source)
            copy.symlink_to(leads_to)
        else:
            with reading(source):
                original = open_file(source)
            with original, copy.open("xb") as made:
                shutil.copyfileobj(original, made, 1 << 20)
                os.fchmod(made.fileno(), 0o755 if entry.kind == "x" else 0o644)


def _walk(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder, onerror=_unreadable):
        here = Path(place)
        if len(here.parts) - len(folder.parts) > MAX_DEPTH:
            raise ConfigError(
                f"the bot's folders nest deeper than {MAX_DEPTH}",
                where=str(folder),
                mend="move what the bot does not need out of its folder",
            )
        if here != folder and not _MARKS.isdisjoint(files):
            folders.clear()
            continue
        links = [name for name in folders if (here / name).is_symlink()]
        folders[:] = sorted(f for f in folders if f not in LEFT_OUT and f not in links)
        yield from (here / f for f in links + files if not f.endswith(_LEFT_OUT_SUFFIXES))


def _unreadable(error: OSError) -> None:
    raise ConfigError(f"cannot be read: {error.strerror}", where=str(error.filename))


def _entry(folder: Path, path: Path) -> Entry:
    status = path.lstat()
    relative = os.fsencode(path.relative_to(folder).as_posix())
    if stat.S_ISLNK(status.st_mode):
        return Entry(relative, "l", len(_checked_target(folder, path)))
    if not stat.S_ISREG(status.st_mode):
        raise ConfigError(
            "is neither file, folder nor link", where=str(path), mend="remove it from the bot"
        )
    return Entry(relative, "x" if status.st_mode & 0o111 else "f", status.st_size)


def _checked_target(folder: Path, path: Path) -> bytes:
    target = os.readlink(path)
    inside = os.path.normpath(path.parent.relative_to(folder) / target)
    if not os.path.isabs(target) and inside.split(os.sep)[0] == os.pardir:
        raise ConfigError(
            f"links to {target}, outside the bot's folder",
            where=str(path),
            mend="copy the file into the folder",
        )
    return os.fsencode(target)


def _content(entry: Entry, folder: Path) -> Iterator[bytes]:
    path = entry.under(folder)
    if entry.kind == "l":
        yield os.fsencode(os.readlink(path))
        return
    with reading(path), open_file(path) as file:
        while block := file.read(1 << 20):
            yield block
