"""A new bot's folder: a bot of about ten lines in a language, ready to play, build and test."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from arena.bots.manifest import MANIFEST
from arena.bots.resolve import check_name
from arena.errors import ConfigError, writing
from arena.lookup import guess


@dataclass(frozen=True, slots=True)
class Language:
    """How a bot in a language is run and built. `sdk` are folders of SDK files that it needs;
    `made` is what building leaves.

    The language's own folder of the SDK also holds `example`, the sources of a new bot.
    """

    title: str
    run: tuple[str, ...]
    build: tuple[str, ...] = ()
    sdk: tuple[str, ...] = ()
    made: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


JAVA = ("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx64m", "-cp", "classes", "Bot")
TSC = ("tsc", "--strict", "--target", "es2022", "--module", "nodenext", "bot.ts")

LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {
        "python": Language("Python", ("python3", "bot.py"), aliases=("py",)),
        "javascript": Language("JavaScript", ("node", "bot.js"), aliases=("js", "node")),
        "typescript": Language(
            "TypeScript",
            ("node", "bot.js"),
            TSC,
            sdk=("javascript",),
            made=("bot.js",),
            aliases=("ts",),
        ),
        "c": Language(
            "C", ("./bot",), ("gcc", "-O2", "-std=c99", "-o", "bot", "bot.c"), made=("bot",)
        ),
        "cpp": Language(
            "C++",
            ("./bot",),
            ("g++", "-O2", "-std=c++17", "-o", "bot", "bot.cpp"),
            made=("bot",),
            aliases=("c++",),
        ),
        "rust": Language(
            "Rust",
            ("./bot",),
            ("rustc", "--edition", "2021", "-O", "-o", "bot", "bot.rs"),
            made=("bot",),
            aliases=("rs",),
        ),
        "go": Language(
            "Go",
            ("./bot",),
            ("go", "build", "-o", "bot", "."),
            made=("bot",),
            aliases=("golang",),
        ),
        "java": Language(
            "Java",
            JAVA,
            ("javac", "-d", "classes", "Bot.java", "Callbreak.java"),
            made=("classes/",),
        ),
        "shell": Language("POSIX shell", ("sh", "bot.sh"), aliases=("sh",)),
    }
)


def write_scaffold(name: str, language: str, folder: Path, sdk: Path) -> tuple[Path, ...]:
    """The files of a new bot stand in `folder`, which must be new or empty.

    `sdk` is the folder with one folder a language (`bundled_sdk`). Raises ConfigError.
    """
    check_name(name)
    key = find_language(language)
    with writing(folder):
        _claim(folder)
        try:
            return _write(name, key, folder, sdk)
        except OSError:  # half a bot would be in the way of the next try
            shutil.rmtree(folder, ignore_errors=True)
            raise


def find_language(text: str) -> str:
    """The key in LANGUAGES that `text` means. Raises ConfigError with the nearest."""
    word = text.lower()
    for key, language in LANGUAGES.items():
        if word in (key, *language.aliases):
            return key
    raise ConfigError(f"no scaffold for the language {text!r}", mend=guess(word, LANGUAGES))


def _claim(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigError("is there already", where=str(folder), mend="take another name")
    folder.mkdir(parents=True, exist_ok=True)


def _write(name: str, key: str, folder: Path, sdk: Path) -> tuple[Path, ...]:
    language = LANGUAGES[key]
    sources = [sdk / part for part in (*language.sdk, key, f"{key}/example", "scaffold")]
    for source in (path for place in sources for path in sorted(place.iterdir())):
        if source.is_file():
            shutil.copyfile(source, folder / source.name)
    left = (*(f"/{name}" for name in language.made), "__pycache__/", ".pytest_cache/")
    (folder / ".gitignore").write_text("\n".join(left) + "\n", encoding="utf-8")
    (folder / MANIFEST).write_text(_manifest(name, key, language), encoding="utf-8")
    (folder / "README.md").write_text(_readme(name, language), encoding="utf-8")
    return tuple(sorted(folder.iterdir()))


def _manifest(name: str, key: str, language: Language) -> str:
    lines = [f'name = "{name}"', 'version = "0.1"', f"run = {_toml_list(language.run)}"]
    if language.build:
        lines.append(f"build = {_toml_list(language.build)}")
    lines += [f'language = "{key}"', 'description = "Calls its aces and kings."']
    return "\n".join(lines) + "\n"


def _toml_list(words: Sequence[str]) -> str:
    return "[" + ", ".join(f'"{word}"' for word in words) + "]"


def _readme(name: str, language: Language) -> str:
    built = (
        f"The arena builds it in the sandbox; by hand: `{' '.join(language.build)}`."
        if language.build
        else "There is nothing to build."
    )
    return README.format(
        name=name, title=language.title, built=built, source=_main_source(language)
    )


def _main_source(language: Language) -> str:
    """The first file that the commands name: `bot.py`, `bot.c`, `Bot.java` …; Go names none."""
    named = (word for word in (*language.build, *language.run) if word.lower().startswith("bot."))
    return next(named, "bot.go")


README = """\
# {name}

A Callbreak bot in {title}. {built}

    arena check .                                 does it keep the protocol?
    arena match . random random random --watch    one match against bundled bots
    python3 test_bot.py                           its own tests

| file | holds |
|---|---|
| `{source}` | the bot: what it calls and what it plays |
| `bot.toml` | its name, its version, how it is built and started |
| `callbreak.*` | the conversation with the referee; leave it as it is |
| `requests.jsonl`, `test_bot.py` | recorded requests, and the tests that play them to the bot |

The bot is asked for a call once a deal and for a card thirteen times, each time with all that it
may know and the list of what is legal. Standard output belongs to the referee: write your log to
standard error. A number drawn at random should come from the chance that each match seeds, so that
the match can be played again.
"""
