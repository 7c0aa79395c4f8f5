"""`bot.toml`: what an author says about a bot, read and checked.

Every error is one line that names the file, the key and the mend. A key that nobody knows is an
error too: a mistyped `biuld` must not give a bot that is silently not built.
"""

from __future__ import annotations

import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from arena.errors import ConfigError

MANIFEST = "bot.toml"
NAME_PATTERN = r"[a-z0-9][a-z0-9-]{0,39}"

Word = Annotated[str, StringConstraints(min_length=1, max_length=4096, pattern=r"^[^\x00]*\z")]
Line = Annotated[str, StringConstraints(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*\z")]
EnvName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*\z")]


class Manifest(BaseModel):
    """The keys of `bot.toml`. `run` and `build` are argument lists: no shell splits them."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: Annotated[str, StringConstraints(pattern=rf"^{NAME_PATTERN}\z")]
    version: Annotated[str, StringConstraints(pattern=r"^[!-~]{1,40}\z")]
    run: Annotated[list[Word], Field(min_length=1)]
    build: Annotated[list[Word], Field(min_length=1)] | None = None
    language: Line = ""
    author: Line = ""
    description: Line = ""
    env: dict[EnvName, Word] = {}
    scratch_mb: Annotated[int, Field(ge=0, le=4096)] = 0
    """Writable scratch space that the bot asks for; the organiser decides."""


_MENDS = {
    "name": "lower-case letters, digits and hyphens, at most 40, as in name = \"careful-carl\"",
    "version": 'a string without spaces, as in version = "1.0"',
    "run": 'a list of words, as in run = ["python3", "bot.py"]',
    "build": 'a list of words, as in build = ["cargo", "build", "--release", "--offline"]',
    "language": 'one line of text, as in language = "python"',
    "author": "one line of text, at most 200 characters",
    "description": "one line of text, at most 200 characters",
    "env": 'a table of strings, as in env = { MODE = "fast" }',
    "scratch_mb": "a whole number from 0 to 4096",
}


def read_manifest(path: Path) -> Manifest:
    """The checked manifest. Raises ConfigError: the file, the key and the mend in one line."""
    try:
        return Manifest.model_validate(tomllib.loads(path.read_text(encoding="utf-8-sig")))
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", where=str(path)) from None
    except UnicodeDecodeError:
        raise ConfigError("is not UTF-8 text", where=str(path), mend="save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        mend = "TOML: strings in quotes, lists in brackets"
        raise ConfigError(f"is not valid TOML: {error}", where=str(path), mend=mend) from None
    except ValidationError as error:
        raise _config_error(path, error) from None


def _config_error(path: Path, error: ValidationError) -> ConfigError:
    """The first finding of pydantic, in words for an author."""
    first = error.errors()[0]
    key = str(first["loc"][0])
    if first["type"] == "extra_forbidden":
        return ConfigError(f"unknown key `{key}`", where=str(path), mend=_nearest_key(key))
    what = f"`{key}` is missing" if first["type"] == "missing" else _wrong(key, first["input"])
    return ConfigError(what, where=str(path), mend=_MENDS[key])


def _wrong(key: str, value: Any) -> str:
    shown = repr(value)
    return f"`{key}` has a wrong value {shown if len(shown) <= 60 else shown[:57] + '...'}"


def _nearest_key(key: str) -> str:
    near = get_close_matches(key, Manifest.model_fields, n=1)
    return f"did you mean `{near[0]}`?" if near else f"known: {', '.join(Manifest.model_fields)}"
