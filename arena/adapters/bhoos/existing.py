"""From the folder of an existing bot to a `bot.toml` beside it: how is its server started?

The first that says so is believed: a Dockerfile's CMD, the start script of a package.json, a file
of a usual name. `ENV` lines of the Dockerfile and assignments before the command become `env`.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from arena.bots.resolve import valid_name
from arena.bounded import TEXT_LIMIT_BYTES, read_up_to
from arena.errors import ConfigError

USUAL_FILES = (
    ("src/app.py", "python3"),
    ("app.py", "python3"),
    ("src/main.py", "python3"),
    ("main.py", "python3"),
    ("server.py", "python3"),
    ("src/index.js", "node"),
    ("index.js", "node"),
    ("server.js", "node"),
)
"""Where a server usually starts, and what runs it."""

LANGUAGES = {"python3": "python", "python": "python", "node": "javascript"}

_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)
_SHELL = re.compile(r"[|&;<>()$`*?\[\]~]")
_STARTERS = (["npm", "start"], ["npm", "run", "start"], ["yarn", "start"], ["yarn", "run", "start"])


@dataclass(frozen=True, slots=True)
class Start:
    """A command and the variables that it is given."""

    run: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)


def manifest_for(folder: Path) -> str:
    """The text of a manifest with `adapter = "bhoos"`. Raises ConfigError if no start is found."""
    start = find_start(folder)
    lines = [
        f"name = {json.dumps(valid_name(folder.resolve().name))}",
        'version = "1.0"',
        f"run = {json.dumps(list(start.run))}",
    ]
    if language := LANGUAGES.get(start.run[0]):
        lines.append(f"language = {json.dumps(language)}")
    if start.env:
        pairs = ", ".join(f"{name} = {json.dumps(value)}" for name, value in start.env.items())
        lines.append(f"env = {{ {pairs} }}")
    lines += ['adapter = "bhoos"', "", "[bhoos]", "port = 7000"]
    lines.append("clamp_call = true      # under rules with a higher least call, raise to it")
    if (folder / "requirements.txt").is_file():
        lines += [
            "# pip install --target packages -r requirements.txt",
            'python_packages = ["packages"]',
        ]
    return "\n".join(lines) + "\n"


def find_start(folder: Path) -> Start:
    """How the server in `folder` is started. Raises ConfigError."""
    ways: Sequence[Callable[[Path], Start | None]] = (_by_dockerfile, _by_package, _by_file)
    for way in ways:
        if (start := way(folder)) is not None:
            return start
    raise ConfigError(
        "it cannot be told how this bot is started",
        where=str(folder),
        mend="give the folder with its Dockerfile, package.json or app.py",
    )


def _by_dockerfile(folder: Path) -> Start | None:
    env: dict[str, str] = {}
    command = ""
    for line in _text(folder / "Dockerfile").replace("\\\n", " ").splitlines():
        word, _, rest = line.strip().partition(" ")
        if word.upper() == "ENV":
            env |= _env(rest.strip())
        elif word.upper() in ("CMD", "ENTRYPOINT"):
            command = rest.strip()
    if not command:
        return None
    words = _json_words(command)
    start = _by_line(command) if words is None else Start(tuple(words))
    if list(start.run) in _STARTERS:
        start = _by_package(folder) or start
    return Start(start.run, env | dict(start.env))


def _by_package(folder: Path) -> Start | None:
    try:
        package = json.loads(_text(folder / "package.json") or "{}")
        script = package.get("scripts", {}).get("start")
    except (ValueError, AttributeError, RecursionError):
        return None
    if isinstance(script, str) and script.strip():
        return _by_line(script)
    main = package.get("main")
    return Start(("node", main)) if isinstance(main, str) else None


def _by_file(folder: Path) -> Start | None:
    found = (Start((program, name)) for name, program in USUAL_FILES if (folder / name).is_file())
    return next(found, None)


def _by_line(line: str) -> Start:
    """A line of shell as a command; it stays a line of shell if it is more than one command."""
    if _SHELL.search(line):
        return Start(("sh", "-c", line))
    words = shlex.split(line)
    env: dict[str, str] = {}
    while words and (found := _ASSIGNMENT.fullmatch(words[0])):
        env[found[1]] = found[2]
        del words[0]
    return Start(tuple(words), env) if words else Start(("sh", "-c", line))


def _env(rest: str) -> dict[str, str]:
    """`ENV A=1 B=2`, or the old `ENV A 1`."""
    pairs = [_ASSIGNMENT.fullmatch(word) for word in shlex.split(rest)]
    if pairs and all(pairs):
        return {pair[1]: pair[2] for pair in pairs if pair}
    name, _, value = rest.partition(" ")
    return {name: value.strip()}


def _json_words(text: str) -> list[str] | None:
    try:
        words = json.loads(text)
    except (ValueError, RecursionError):
        return None
    fits = isinstance(words, list) and words and all(isinstance(word, str) for word in words)
    return words if fits else None


def _text(path: Path) -> str:
    """The text of a file of the bot's; nothing if there is none, or a pipe in its place."""
    if not path.is_file():
        return ""
    try:
        with path.open("rb") as file:
            return read_up_to(TEXT_LIMIT_BYTES, file, path).decode("utf-8", errors="replace")
    except OSError:
        return ""
