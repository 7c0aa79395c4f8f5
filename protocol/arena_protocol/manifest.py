"""bot.toml: what a bot is called and how it is started.

Strict where the wire is lenient: an author edits this file by hand, so an unknown key is a
mistake, and the error names the key that was probably meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from arena_protocol.complaints import first_complaint
from arena_protocol.patterns import IMAGE_PATTERN, NAME_PATTERN, VARIABLE_PATTERN
from arena_protocol.toml import TomlError, parse_toml


def _refuse_no_program(argv: list[str]) -> list[str]:
    if not argv[0]:
        raise ValueError("begins with an empty text, which is no program")
    if argv[0].startswith("-"):
        raise ValueError("begins with a hyphen: that is an option, not a program")
    return argv


Argument = Annotated[str, Field(max_length=4096, pattern=r"^[^\x00]*$")]
Argv = Annotated[list[Argument], Field(min_length=1), AfterValidator(_refuse_no_program)]
Line = Annotated[str, Field(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]


class ManifestError(ValueError):
    """A bot.toml is wrong: `what` says what, `mend` (may be empty) what to do about it."""

    def __init__(self, what: str, mend: str = "") -> None:
        super().__init__(f"{what} ({mend})" if mend else what)
        self.what = what
        self.mend = mend


class Scratch(BaseModel):
    """A writable folder, empty at the start of the process, if the organiser allows it."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    mb: Annotated[int, Field(ge=1, le=65536, description="Its size in MiB.")]


def _adapter_table_for_settings(schema: dict[str, Any]) -> None:
    """In the file, and so in its schema, settings are a table under the adapter's own name."""
    settings = schema["properties"].pop("settings")
    schema["additionalProperties"] = {"type": "object", "description": settings["description"]}


class Manifest(BaseModel):
    """A bot. Its identity is the name, the version and the SHA-256 of its files."""

    model_config = ConfigDict(
        strict=True,
        frozen=True,
        extra="forbid",
        json_schema_extra=_adapter_table_for_settings,
    )

    name: Annotated[str, Field(pattern=NAME_PATTERN, description="Shown on boards.")]
    version: Annotated[str, Field(pattern=r"^[!-~]{1,40}$")]
    run: Annotated[
        Argv, Field(description="The command, started in the bot's folder without a shell.")
    ]
    build: Annotated[
        Argv | None, Field(description="Run once for each content of the folder, before `run`.")
    ] = None
    language: Annotated[Line, Field(description="Shown on boards.")] = ""
    author: Line = ""
    description: Line = ""
    env: Annotated[
        dict[Annotated[str, Field(pattern=VARIABLE_PATTERN)], Argument],
        Field(description="Variables added to the clean environment of the bot."),
    ] = {}
    image: Annotated[
        str | None,
        Field(
            max_length=255,
            pattern=IMAGE_PATTERN,
            description="The image to run in, where containers are the sandbox.",
        ),
    ] = None
    scratch: Scratch | None = None
    adapter: Annotated[
        str | None,
        Field(
            pattern=NAME_PATTERN,
            description="The bridge through which the bot speaks another interface. Its settings "
            "are in a table of its name.",
        ),
    ] = None
    settings: Annotated[
        dict[str, Any],
        Field(description="The adapter's settings, in a table of its name."),
    ] = {}


KEYS = tuple(key for key in Manifest.model_fields if key != "settings")
"""The keys that a bot.toml may have, beside an adapter's table."""


def parse_manifest(text: str) -> Manifest:
    """The manifest in the text of a bot.toml. Raises ManifestError."""
    try:
        table = parse_toml(text)
    except TomlError as error:
        raise ManifestError(str(error)) from None
    settings = _take_settings(table)
    _refuse_unknown(table)
    try:
        return Manifest(**table, settings=settings)
    except ValidationError as error:
        raise _in_words(error) from None


def _take_settings(table: dict[str, Any]) -> dict[str, Any]:
    adapter = table.get("adapter")
    if not isinstance(adapter, str) or adapter in KEYS:
        return {}
    settings = table.pop(adapter, {})
    if not isinstance(settings, dict):
        raise ManifestError(f"`{adapter}` is not a table", f"write [{adapter}]")
    return settings


def _refuse_unknown(table: dict[str, Any]) -> None:
    for key in table:
        if key not in KEYS:
            raise _unknown(key, key, KEYS)


def _unknown(place: str, key: str, known: Iterable[str]) -> ManifestError:
    near = get_close_matches(key, known, n=1)
    mend = f"did you mean `{near[0]}`?" if near else "known keys: " + ", ".join(known)
    return ManifestError(f"unknown key `{_printable(place)}`", mend)


def _in_words(error: ValidationError) -> ManifestError:
    first = first_complaint(error)
    place = first.place
    if first.is_unknown:
        return _unknown(place, place.rpartition(".")[2], Scratch.model_fields)
    if first.is_missing:
        return ManifestError(f"`{place}` is missing", _EXAMPLES.get(place, ""))
    problem = _PROBLEMS.get(first.kind, first.said)
    for start in ("input ", "string "):
        problem = problem.removeprefix(start)
    return ManifestError(f"`{_printable(place)}` {problem[:200]}", _EXAMPLES.get(place, ""))


def _printable(text: str) -> str:
    return re.sub(r"[^ -~]", "?", text)[:60]


_PROBLEMS = {
    "string_pattern_mismatch": "has characters that cannot stand there, or too many",
    "too_short": "is empty",
}
"""What pydantic says for programmers (a regular expression, a count), said for authors."""

_EXAMPLES = {
    "name": 'lower-case letters, digits and hyphens, at most 40: name = "my-bot"',
    "run": 'a list of strings: run = ["python3", "bot.py"]',
    "build": 'a list of strings: build = ["make"]',
    "version": 'a string without spaces, at most 40 characters: version = "1.0"',
    "image": 'a reference to an image: image = "localhost/my-bot:1"',
    "scratch.mb": "whole MiB: mb = 16",
}
