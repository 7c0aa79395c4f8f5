"""From the first word of a bot's command to a program that exists inside a sandbox.

`python3` on PATH is often no interpreter: pyenv, rustup, asdf and their like put *shims* there,
small programs that choose the real one at run time from files in the home folder. The sandbox has
no home folder, so the choice is made outside, once, by asking the manager (`pyenv which python3`).
Links are resolved, and an interpreter that lives outside the system's folders is made visible
together with what an installation has beside it (`bin`, `lib` and their like, and nothing else of
that folder), read-only, at its own path.

A bot chooses nothing of what it sees. A full path that it names, or a folder that its adapter asks
for, is shown only where the organiser's PATH leads to that program, or where it lies in a folder
that the organiser lists (`toolchains`).
"""

from __future__ import annotations

import os
import pwd
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from arena.cache import noexec_mount
from arena.errors import SandboxError
from arena.process import ask
from arena.sandbox.api import Program

SYSTEM_FOLDERS = ("/usr", "/bin", "/sbin", "/lib", "/lib64")
"""What every sandbox shows anyway."""

SHIM_MANAGERS = {
    "pyenv": ("pyenv", "which"),
    ".pyenv": ("pyenv", "which"),
    "rbenv": ("rbenv", "which"),
    ".rbenv": ("rbenv", "which"),
    ".nodenv": ("nodenv", "which"),
    ".goenv": ("goenv", "which"),
    ".jenv": ("jenv", "which"),
    ".asdf": ("asdf", "which"),
    "asdf": ("asdf", "which"),
    "mise": ("mise", "which"),
    ".volta": ("volta", "which"),
    "rustup": ("rustup", "which"),
}
"""Where a shim lies (a folder above it, or the file that its link leads to) -> who resolves it."""

PARTS = ("bin", "lib", "lib32", "lib64", "libexec", "include", "share")
"""What is shown of an installation; whatever else lies there is not."""

PARTS_OF = {
    "go": ("pkg", "src", "go.env", "VERSION"),
    "java": ("conf", "jmods", "release"),
}
"""And what is shown besides where its `bin` has that program."""

SHARED_FOLDERS = ("/", "/home", "/mnt", "/opt", "/root", "/srv", "/tmp", "/var")

ASK_TIMEOUT_S = 20.0

_SHIMS = "shims"

_FIRST_LINE_BYTES = 256
"""So much of a first line the kernel reads."""

_LISTED = (
    "put the program's folder on PATH, or list it: `--toolchain FOLDER`, or "
    '`toolchains = ["FOLDER"]` under [sandbox] in the tournament file'
)

_PAST_A_SHIM = "put the real program on PATH before it, or name its full path in bot.toml"


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A program as it is called inside, and the folders outside the system's that it needs."""

    path: str
    mounts: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Command:
    """What a program is started with inside: argv, what must be made visible for it beyond the
    system's folders, and the folders of its interpreters for its PATH."""

    argv: tuple[str, ...]
    mounts: tuple[Path, ...]
    folders: tuple[str, ...]


class Commands:
    """Looks up what programs are started with, each interpreter once."""

    def __init__(self, search_path: str | None = None) -> None:
        self._search_path = search_path
        self._found: dict[tuple[str, tuple[Path, ...]], Interpreter] = {}

    def resolve(self, program: Program, toolchains: Sequence[Path] = ()) -> Command:
        """The command of a program, with the interpreters that it needs besides.

        Raises SandboxError if one of them is not there, or not for bots to see.
        """
        for path in program.shows:
            check_shown(path, (program.folder, *toolchains))
        name = program.argv[0]
        own = "/" in name and not os.path.isabs(name)
        if own:
            _check_own(program.folder / name)
        names = (*program.needs,) if own else (name, *program.needs)
        found = [self._find(name, tuple(toolchains)) for name in names]
        return Command(
            argv=program.argv if own else (found[0].path, *program.argv[1:]),
            mounts=tuple(mount for interpreter in found for mount in interpreter.mounts),
            folders=tuple(str(Path(interpreter.path).parent) for interpreter in found),
        )

    def _find(self, name: str, toolchains: tuple[Path, ...]) -> Interpreter:
        if (name, toolchains) not in self._found:
            path = self._search_path or os.environ.get("PATH", os.defpath)
            self._found[name, toolchains] = find(name, path, toolchains)
        return self._found[name, toolchains]


def _check_own(path: Path) -> None:
    if not os.access(path, os.X_OK):
        if path.exists() and (mount := noexec_mount(path)):
            raise SandboxError(
                f"cannot be started: {mount} is mounted noexec",
                where=str(path),
                mend="set XDG_CACHE_HOME to a folder on another file system",
            )
        what = "is not executable" if path.exists() else "is not there"
        raise SandboxError(
            what, where=str(path), mend="build the bot, chmod +x it, or mend `run` in bot.toml"
        )


def check_shown(path: Path, toolchains: Sequence[Path]) -> None:
    """Raises SandboxError unless the path lies in one of the organiser's toolchains."""
    if _within(path.resolve(), toolchains) is None:
        raise SandboxError("lies in no toolchain of the organiser", where=str(path), mend=_LISTED)


def find(command: str, search_path: str, toolchains: Sequence[Path] = ()) -> Interpreter:
    """The real program behind `command`, looked up on `search_path`.

    A full path has to lead to a program that `search_path` brings too, or into `toolchains`.
    Raises SandboxError if it does not, if there is no such program, or if it is a shim that cannot
    be resolved.
    """
    found = shutil.which(command, path=search_path)
    if found is None:
        raise SandboxError(
            "no such program" if os.path.isabs(command) else "no such program on PATH",
            where=command,
            mend=f"install {command}, or name another program in bot.toml",
        )
    if _is_system(found) and _is_system(os.path.realpath(found)):
        return Interpreter(found)
    target = _through_shim(command, Path(found))
    if target == Path(found) and (here := _in_toolchain(target, toolchains)):
        return here
    real = target.resolve()
    if _is_system(str(real)):
        return Interpreter(str(real))
    if (toolchain := _within(real, toolchains)) is not None:
        return Interpreter(str(real), (toolchain,))
    if os.path.isabs(command) and not _leads_to(search_path, Path(command).name, real):
        raise SandboxError("lies in no toolchain of the organiser", where=command, mend=_LISTED)
    return Interpreter(str(real), tuple(_installation(real)))


def _in_toolchain(found: Path, toolchains: Sequence[Path]) -> Interpreter | None:
    """A program that lies in one of the toolchains, as it is called there; None if it does not.

    It is not called by the file that a link leads to: a virtual environment's `python3` finds its
    packages by its own place. What the link leads to is shown besides, the organiser having put
    it there, and so is the interpreter that a script names in its first line.
    """
    called = found.parent.resolve() / found.name
    if (toolchain := _within(called.parent, toolchains)) is None:
        return None
    shown = [toolchain, *_outside(called.resolve(), toolchain)]
    for interpreter in _named_by(called):
        if not _is_system(str(interpreter.resolve())):
            shown += _outside(interpreter.resolve(), toolchain)
    return Interpreter(str(called), tuple(dict.fromkeys(shown)))


def _outside(real: Path, toolchain: Path) -> list[Path]:
    """What to show of a program that a toolchain leads to, where it lies elsewhere."""
    if _is_system(str(real)) or real.is_relative_to(toolchain) or not real.exists():
        return []
    return list(_installation(real))


def _named_by(script: Path) -> Iterator[Path]:
    """The interpreter of the script's first line; by `env`, one beside the script."""
    with suppress(OSError), script.open("rb") as file:
        first = file.read(_FIRST_LINE_BYTES).partition(b"\n")[0]
        if first.startswith(b"#!") and (words := os.fsdecode(first[2:]).split()):
            by_env = Path(words[0]).name == "env"
            yield script.parent / words[-1] if by_env else Path(words[0])


def _leads_to(search_path: str, name: str, real: Path) -> bool:
    """True if the organiser's PATH brings the same program under the same name."""
    found = shutil.which(name, path=search_path)
    return found is not None and _through_shim(name, Path(found)).resolve() == real


def _within(real: Path, toolchains: Sequence[Path]) -> Path | None:
    """The toolchain in which a resolved path lies."""
    folders = (folder.resolve() for folder in toolchains)
    return next((folder for folder in folders if real.is_relative_to(folder)), None)


def _through_shim(command: str, found: Path) -> Path:
    """What a shim stands for, wherever a link to it lies; `found` itself if there is none."""
    for path, leads_to in pairwise((*_links(found), found.resolve(), found.resolve())):
        manager = _manager(path, leads_to)
        if manager is not None:
            return _ask(manager, path)
        if _SHIMS in path.parts:
            what = f"{path} is a shim of an unknown version manager"
            raise SandboxError(what, where=command, mend=_PAST_A_SHIM)
    return found


def _links(path: Path) -> Iterator[Path]:
    """The path, and each that it is a link to, but for the last."""
    while path.is_symlink():
        yield path
        path = path.parent.resolve() / path.readlink()


def _manager(path: Path, leads_to: Path) -> tuple[str, str] | None:
    """Who resolves the path if it is a shim: its link leads to the manager, or it lies below it."""
    names = (leads_to.name, *(path.parts if _SHIMS in path.parts else ()))
    return next((SHIM_MANAGERS[name] for name in names if name in SHIM_MANAGERS), None)


@cache  # it takes 40 ms, and of 2,000 bots most ask the same
def _ask(manager: tuple[str, str], shim: Path) -> Path:
    """Runs `pyenv which python3` and the like, in the root folder: no project's choice counts."""
    tool, verb = manager
    command = shim.name
    beside = shim.parent.parent / "bin" / tool
    program = str(beside) if beside.exists() else tool
    answer = ask([program, verb, command], timeout_s=ASK_TIMEOUT_S)
    if answer.status or not answer.out:
        raise SandboxError(
            f"{shim} is a shim, and `{tool} {verb} {command}` does not say what it stands for",
            where=command,
            mend=_PAST_A_SHIM,
        )
    return Path(answer.out.splitlines()[-1])


def _installation(real: Path) -> Iterator[Path]:
    """What to show for a program: of the folder above its `bin` what installations consist of, and
    just the file where that folder is no installation's own.

    A link that leads out of that folder shows nothing.
    """
    prefix = real.parent.parent
    if real.parent.name != "bin" or prefix in _shared():
        yield real
        return
    more = next((names for tool, names in PARTS_OF.items() if (prefix / "bin" / tool).exists()), ())
    for name in (*PARTS, *more):
        part = prefix / name
        if part.exists() and part.resolve().is_relative_to(prefix):
            yield part


def _shared() -> set[Path]:
    """Folders whose `bin` may belong to anything, and which hold what is nobody's business."""
    homes = {Path(entry.pw_dir) for entry in pwd.getpwall()} | {Path(os.path.expanduser("~"))}
    local = {home / ".local" for home in homes}
    return homes | local | {home.parent for home in homes} | set(map(Path, SHARED_FOLDERS))


def _is_system(path: str) -> bool:
    return any(path.startswith(folder + "/") for folder in SYSTEM_FOLDERS)
