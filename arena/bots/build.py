"""From a bot as its author keeps it to a private copy that is ready to play.

Theory of operation. Every bot plays from a copy in the cache, which holds exactly the files of its
digest and, if the manifest has a `build`, what that command made of them inside the sandbox. A copy
is made under a temporary name and then renamed: whoever sees it sees it whole, and of two processes
that make the same copy the second throws its own away. The name of a copy is a hash of all that
could change it: the digest, and for a build the command, its environment, the compiler's file, the
machine and the sandbox. The files of an adapter's bridge are laid into the copy as well, and are
part of its name. Copies are never changed; `arena cache --prune` removes them.
"""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from arena.bots.adapter import Adapter, Bridge, bridge_of
from arena.bots.bot import Bot
from arena.bots.compile import BuildLimits, run_build
from arena.bots.digest import copy_files, digest_of, list_files
from arena.bots.foreign import settle, write_new
from arena.bots.toolchain import fingerprint
from arena.cache import hold, making_in, noexec_mount
from arena.errors import ConfigError, SandboxError
from arena.referee.api import Clock
from arena.sandbox.api import Limits, Sandbox

FILES = "bot"
LOG = "build.log"


class BuildError(ConfigError):
    """A bot cannot be built; the message ends with the last lines of the log and where it is."""


@dataclass(frozen=True, slots=True)
class Workshop:
    """What builds need: a sandbox, the folder of the cache, a clock, limits, adapters by name."""

    sandbox: Sandbox
    cache: Path
    clock: Clock
    limits: BuildLimits = field(default_factory=BuildLimits)
    adapters: Mapping[str, Adapter] = field(default_factory=dict)


def build_bot(bot: Bot, workshop: Workshop) -> Bot:
    """The same bot, ready to play from its private copy. Raises ConfigError or BuildError."""
    if bot.ready:
        return bot
    bridge = bridge_of(bot, workshop.adapters)
    files = bridge.files if bridge else {}
    place = workshop.cache / _key(bot, workshop, files)
    while not hold(place):
        _make(bot, place, workshop, files)
    if _own_program(bot) and (mount := noexec_mount(place)):
        raise _not_executed(bot, mount)
    made = replace(bot, folder=place / FILES, only="", ready=True)
    return _bridged(made, bridge, workshop) if bridge else made


def _own_program(bot: Bot) -> str:
    """The program that `run` starts if it is one of the bot's own files."""
    program = bot.run[0]
    return program if "/" in program and not os.path.isabs(program) else ""


def _not_executed(bot: Bot, mount: Path) -> ConfigError:
    return ConfigError(
        f"the cache lies on {mount}, which is mounted noexec: {bot.run[0]} cannot start",
        where=f"bot {bot.name}",
        mend="set XDG_CACHE_HOME to a folder on another file system, or mount it with exec",
    )


def _bridged(bot: Bot, bridge: Bridge, workshop: Workshop) -> Bot:
    """The bot behind its bridge. Raises SandboxError if the sandbox cannot give what that needs."""
    bridged = bridge.bridged(bot)
    try:
        limits = Limits(toolchains=workshop.limits.toolchains)
        workshop.sandbox.launch(bridged.program(), limits)
    except SandboxError as error:
        where = f"bot {bot.name}: {error.where}"
        raise SandboxError(error.what, where=where, mend=error.mend) from None
    return bridged


def _key(bot: Bot, workshop: Workshop, files: Mapping[str, bytes]) -> str:
    parts = [bot.id.digest]
    parts += [f"{name} {hashlib.sha256(files[name]).hexdigest()}" for name in sorted(files)]
    if bot.build:
        settings = [f"{name}={value}" for name, value in sorted(bot.env.items())]
        shown = sorted(map(str, workshop.limits.toolchains))
        compiler = fingerprint(bot.build[0], toolchains=workshop.limits.toolchains)
        where = [platform.machine(), workshop.sandbox.name]
        parts += [*bot.build, *settings, compiler, *where, *shown]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def _make(bot: Bot, place: Path, workshop: Workshop, files: Mapping[str, bytes]) -> None:
    with making_in(place.parent, "making-") as making:
        _fill(bot, making, place, workshop, files)
        _put(making, place)


def _fill(
    bot: Bot, making: Path, place: Path, workshop: Workshop, files: Mapping[str, bytes]
) -> None:
    """All that `place` will hold stands in the new folder `making`."""
    folder = making / FILES
    folder.mkdir(parents=True)
    _copy(bot, folder)
    if bot.build:
        _build(bot, folder, place.parent / f"{place.name}.failed.log", workshop)
    settle(making)
    for name, content in files.items():
        write_new(folder, name, content)


def _copy(bot: Bot, folder: Path) -> None:
    entries = list_files(bot.folder, bot.only)
    copy_files(bot.folder, entries, folder)
    if digest_of(folder, list_files(folder, bot.only)) != bot.id.digest:
        raise ConfigError(
            "the bot's files changed after it was named", where=str(bot.folder), mend="start again"
        )


def _build(bot: Bot, folder: Path, failed_log: Path, workshop: Workshop) -> None:
    """Runs `build` in the copy; its log lies beside the copy, or at `failed_log` if it fails."""
    for place in [folder, *(p for p in folder.rglob("*") if p.is_dir() and not p.is_symlink())]:
        place.chmod(0o777)  # the sandbox may run it under a uid of its own
    outcome = run_build(bot, folder, workshop.sandbox, workshop.clock, workshop.limits)
    complaint = outcome.complaint or _not_made(bot, folder)
    if complaint:
        failed_log.write_bytes(outcome.log)
        raise BuildError(
            f"the build failed: {complaint}{_last_lines(outcome.log)}",
            where=f"bot {bot.name}, {' '.join(bot.build)}",
            mend=f"the whole log is {failed_log}",
        )
    folder.with_name(LOG).write_bytes(outcome.log)
    failed_log.unlink(missing_ok=True)


def _not_made(bot: Bot, folder: Path) -> str:
    """What is wrong if `run` names a file of the bot that the build did not make."""
    program = _own_program(bot)
    if not program:
        return ""
    if mount := noexec_mount(folder):
        raise _not_executed(bot, mount)
    made = os.access(folder / program, os.X_OK)
    return "" if made else f"it made no executable {program}, which `run` starts"


def _last_lines(log: bytes, count: int = 4) -> str:
    lines = [line.strip() for line in log.decode(errors="replace").splitlines() if line.strip()]
    printable = ("".join(c if c.isprintable() else "?" for c in line) for line in lines[-count:])
    shown = " / ".join(printable)
    return f": {shown[-600:]}" if shown else ""


def _put(making: Path, place: Path) -> None:
    try:
        making.rename(place)
    except OSError:
        if not place.is_dir():  # else another process was faster; its copy is as good
            raise
