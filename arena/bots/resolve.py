"""From what a person typed to a bot with an identity."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from arena_protocol.patterns import NAME_PATTERN

from arena.bots.bot import Bot
from arena.bots.bundled import bundled_names
from arena.bots.digest import Entry, digest_of, list_files
from arena.bots.manifest import MANIFEST, read_manifest
from arena.errors import ConfigError, reading
from arena.records import BotId

_INTERPRETERS = {
    ".py": ("python3", "python"),
    ".js": ("node", "javascript"),
    ".mjs": ("node", "javascript"),
    ".cjs": ("node", "javascript"),
}
"""How a one-file bot is run, and its language, by suffix; any other file must be executable."""


_SHOWN_CHARS = 100


def resolve(text: str, bundled: Path, *, relative_to: Path = Path()) -> Bot:
    """The bot that `text` names, not yet built.

    `text` is a folder, a `bot.toml`, one executable or `.py`/`.js` file, the name of a bot in the
    folder `bundled`, or `NAME=` and any of these to rename it. Paths start at `relative_to`.
    Raises ConfigError.
    """
    if not text:
        raise ConfigError("an empty text names no bot", mend="give a folder, a file, or a name")
    with reading(_clipped(text)):  # a name too long for the system, a folder that is not ours
        if not _renames(text, relative_to):
            return _find(text, bundled, relative_to)
        name, _, place = text.partition("=")
        if not place:
            raise ConfigError(f"`{_clipped(text)}` names no bot", mend="write NAME=BOT")
        if not name:
            raise ConfigError(
                f"`{_clipped(text)}` gives no name before the `=`",
                mend=f"write NAME=BOT, or {_clipped(place)} alone to keep its own name",
            )
        bot = _find(place, bundled, relative_to)
    return replace(bot, id=replace(bot.id, name=check_name(name)))


def refuse_inside(
    place: Path, texts: Sequence[str], *, relative_to: Path = Path(), run: bool = False
) -> None:
    """Raises ConfigError if what is written at `place` would become part of one of these bots.

    A `run` folder is no part of the bot that it lies in, but it cannot be the bot's own folder.
    """
    target = Path(os.path.abspath(place.parent.resolve() / place.name))
    for text in texts:
        named = text.partition("=")[2] if _renames(text, relative_to) else text
        path = relative_to / _at_home(named)
        bot = (path.parent if path.name == MANIFEST else path).resolve()
        if not (bot / MANIFEST).is_file():
            continue  # one file, or a bundled bot
        if target == bot if run else target.is_relative_to(bot):
            raise ConfigError(
                "would become part of the bot, and make another bot of it",
                where=str(place),
                mend=f"write it outside {bot}",
            )


def _renames(text: str, relative_to: Path) -> bool:
    """An `=` renames unless it is in a path: after a slash, or in a name that exists."""
    before, equals, _ = text.partition("=")
    return bool(equals) and "/" not in before and not (relative_to / text).exists()


def check_name(name: str) -> str:
    """The name, which a bot may have. Raises ConfigError with a better one."""
    if not re.fullmatch(NAME_PATTERN, name):
        raise ConfigError(
            f"`{_clipped(name)}` is not a name for a bot",
            mend=f"lower-case letters, digits and hyphens, at most 40, such as {valid_name(name)}",
        )
    return name


def valid_name(text: str) -> str:
    """`text` made into a name that a bot may have."""
    name = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40].strip("-")
    return name or "bot"


def _find(text: str, bundled: Path, relative_to: Path) -> Bot:
    path = (relative_to / _at_home(text)).absolute()
    if text and path.name == MANIFEST and path.is_file():
        return _from_folder(path.parent)
    if text and path.is_file():
        return _from_file(path)
    if text and (path / MANIFEST).is_file():
        return _from_folder(path)
    if text in bundled_names(bundled):
        return _from_folder(bundled / text)
    if text and path.is_dir():
        raise ConfigError(f"has no {MANIFEST}", where=text, mend="see docs/guide/bots.md")
    raise _unknown(text, bundled)


def _at_home(text: str) -> Path:
    """The path with `~` read as a shell reads it; a `~name` that is nobody stays as it is."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)


def _clipped(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}…"


def _unknown(text: str, bundled: Path) -> ConfigError:
    names = bundled_names(bundled)
    shown = _clipped(text)
    near = get_close_matches(shown, names, n=3, cutoff=0.5) or names
    return ConfigError(
        f"no bot `{shown}`",
        mend=f"a folder with {MANIFEST}, one file, or a bundled bot: {', '.join(near)}",
    )


def _from_folder(folder: Path) -> Bot:
    manifest = read_manifest(folder / MANIFEST)
    entries = list_files(folder)
    if manifest.build:
        _check_own_program(folder, "build", manifest.build[0], entries)
    else:
        _check_own_program(folder, "run", manifest.run[0], entries)
    return Bot(
        id=BotId(manifest.name, manifest.version, digest_of(folder, entries)),
        folder=folder,
        run=tuple(manifest.run),
        build=tuple(manifest.build or ()),
        language=manifest.language,
        author=manifest.author,
        description=manifest.description,
        env=dict(manifest.env),
        image=manifest.image or "",
        scratch_mb=manifest.scratch.mb if manifest.scratch else 0,
        adapter=manifest.adapter or "",
        settings=dict(manifest.settings),
    )


def _check_own_program(folder: Path, key: str, program: str, entries: Sequence[Entry]) -> None:
    """A program that the manifest's `key` starts from the bot's folder is there to be started."""
    if "/" not in program or os.path.isabs(program):
        return
    kinds = {os.fsdecode(entry.path): entry.kind for entry in entries}
    kind = kinds.get(os.path.normpath(program))
    if kind == "f":
        raise ConfigError(
            f"`{key}` starts {program}, which is not executable",
            where=str(folder / MANIFEST),
            mend=f"chmod +x {program}, or name its interpreter first",
        )
    if kind is None:
        raise ConfigError(
            f"`{key}` starts {program}, which is not among the bot's files",
            where=str(folder / MANIFEST),
            mend="name an existing file"
            + (", or say in `build` how it is made" if key == "run" else ""),
        )


def _from_file(path: Path) -> Bot:
    """A bot that is one file: its name from the file's name, its version 0."""
    interpreter, language = _INTERPRETERS.get(path.suffix.lower(), ("", ""))
    if not interpreter and not os.access(path, os.X_OK):
        raise ConfigError(
            "is neither executable nor a .py or .js file", where=str(path), mend="chmod +x it"
        )
    real = path.resolve()
    digest = digest_of(real.parent, list_files(real.parent, real.name))
    return Bot(
        id=BotId(valid_name(path.stem), "0", digest),
        folder=real.parent,
        run=(interpreter, _no_option(real.name)) if interpreter else (f"./{real.name}",),
        language=language,
        only=real.name,
    )


def _no_option(name: str) -> str:
    """The file's name as an interpreter takes it for a file, even if it begins with a hyphen."""
    return f"./{name}" if name.startswith("-") else name
