"""Bots as they travel to another machine: one file, known by its content.

Theory of operation. A bundle is a tar of a bot's files: of its private copy, built, or of its
sources. Its key is a SHA-256 over names, executable bits and contents, so that it does not depend
on who packed it or when; whoever unpacks it computes the key again. Unpacked bundles lie in a
folder of that name, made under a temporary name and renamed: whoever sees one sees it whole. A
bundle with machine code in it is *native*: it says for which architecture and C library.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from arena.bots.bot import Bot
from arena.bots.digest import digest_of, list_files
from arena.bots.foreign import open_file, settle
from arena.cache import making_in
from arena.errors import ConfigError, StoreError

ELF = b"\x7fELF"


@dataclass(frozen=True, slots=True)
class Architecture:
    """What machine code runs on. `libc_version` as numbers; a later one runs what an older did."""

    machine: str
    libc: str
    libc_version: tuple[int, ...]

    def runs(self, native: Architecture) -> bool:
        """True if machine code made on `native` runs here."""
        same = (self.machine, self.libc) == (native.machine, native.libc)
        return same and self.libc_version >= native.libc_version

    def __str__(self) -> str:
        version = ".".join(map(str, self.libc_version))
        return " ".join(part for part in (self.machine, self.libc, version) if part)


def architecture_here() -> Architecture:
    """This machine's."""
    libc, version = platform.libc_ver()
    numbers = tuple(int(part) for part in version.split(".") if part.isdigit())
    return Architecture(platform.machine(), libc, numbers)


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bot's files that can be packed: relative names in order, and the key of their content.

    `native` is set if there is machine code among them.
    """

    key: str
    folder: Path
    names: tuple[str, ...]
    native: Architecture | None


def bundle_of(bot: Bot) -> Bundle:
    """The bundle of a bot: all of its private copy if it is `ready`, else its sources.

    Raises ConfigError if the sources are not those of its digest any more.
    """
    if bot.ready:
        names = sorted(_all_below(bot.folder))
    else:
        entries = list_files(bot.folder, bot.only)
        if digest_of(bot.folder, entries) != bot.id.digest:
            raise ConfigError("the bot's files changed after it was named", where=str(bot.folder))
        names = sorted(os.fsdecode(entry.path) for entry in entries)
    return _bundle(bot.folder, names)


def pack(bundle: Bundle, target: IO[bytes]) -> None:
    """Writes the bundle to an open file, without owners and times."""
    with tarfile.open(fileobj=target, mode="w:gz", compresslevel=1) as tar:
        for name in bundle.names:
            path = bundle.folder / name
            member = tarfile.TarInfo(name)
            member.mode = 0o755 if _is_executable(path) else 0o644
            if path.is_symlink():
                member.type, member.linkname = tarfile.SYMTYPE, os.readlink(path)
                tar.addfile(member)
                continue
            with open_file(path) as file:
                member.size = os.fstat(file.fileno()).st_size
                tar.addfile(member, file)


def unpack(packed: Path, key: str, place: Path) -> None:
    """The files stand in the folder `place`. Raises StoreError if they are not those of `key`."""
    with making_in(place.parent, "unpacking-") as making:
        making.mkdir()
        _extract(packed, making)
        if _bundle(making, sorted(_all_below(making))).key != key:
            raise StoreError("a bundle is not what its key says", where=str(packed))
        settle(making)  # whatever the umask: the sandbox may run it under a uid of its own
        try:
            making.rename(place)
        except OSError:
            if not place.is_dir():  # else another process was faster; its copy is as good
                raise


def _extract(packed: Path, folder: Path) -> None:
    try:
        with tarfile.open(packed) as tar:
            # Not `extractall`: its filters came with Python 3.11.4.
            links = [member for member in tar if not _write_member(tar, member, folder)]
            for member in links:  # last, so that nothing is written through one
                _place(member, folder).symlink_to(member.linkname)
    except (tarfile.TarError, EOFError, OSError, ValueError) as error:
        raise StoreError(f"a bundle cannot be unpacked: {error}", where=str(packed)) from error


def _write_member(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> bool:
    """The member stands in the folder if it is a file; False if it is a link, which waits."""
    if member.issym():
        return False
    content = tar.extractfile(member) if member.isreg() else None
    if content is None:
        raise ValueError(f"{member.name!r} is neither file nor link")
    with content, _place(member, folder).open("xb") as file:
        shutil.copyfileobj(content, file, 1 << 20)
        os.fchmod(file.fileno(), 0o755 if member.mode & 0o100 else 0o644)
    return True


def _place(member: tarfile.TarInfo, folder: Path) -> Path:
    """Where it goes; its folder is there. Raises ValueError if that is outside the folder."""
    name = PurePosixPath(member.name)
    if name.is_absolute() or ".." in name.parts or not name.parts:
        raise ValueError(f"{member.name!r} leads out of it")
    place = folder / name
    place.parent.mkdir(parents=True, exist_ok=True)
    return place


def _all_below(folder: Path) -> Iterator[str]:
    for place, folders, files in os.walk(folder):
        here = Path(place)
        links = [name for name in folders if (here / name).is_symlink()]
        for name in (*files, *links):
            yield (here / name).relative_to(folder).as_posix()


def _bundle(folder: Path, names: list[str]) -> Bundle:
    sha = hashlib.sha256()
    native = False
    for name in names:
        path = folder / name
        if path.is_symlink():
            kind, content = b"l", os.fsencode(os.readlink(path))
        else:
            kind = b"x" if _is_executable(path) else b"f"
            with open_file(path) as file:
                content = file.read()
            native = native or content.startswith(ELF)
        sha.update(b"%s%s\0%d\0" % (kind, os.fsencode(name), len(content)))
        sha.update(content)
    return Bundle(sha.hexdigest(), folder, tuple(names), architecture_here() if native else None)


def _is_executable(path: Path) -> bool:
    return not path.is_symlink() and bool(path.stat().st_mode & 0o100)
