"""The tournament file: what an organiser may set, checked at the edge.

The same model is filled from command-line options when there is no file. Every unknown key is an
error that names the nearest known one, every wrong value one that names its place.
"""

from __future__ import annotations

import copy
import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from arena_protocol.complaints import first_complaint
from arena_protocol.toml import TomlError, parse_toml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from arena.bounded import read_text
from arena.errors import ConfigError
from arena.referee.api import IDLE_CPU_MS, OnHostStall
from arena.tournament.plan import WORKER_WAIT_S
from arena.tournament.seeds import is_seed

LIMIT_BYTES = 8 * 1024 * 1024
"""The longest tournament file: a hundred thousand bots by their paths."""

MATCH_MS_A_DEAL = 15_000
"""What a bot may think in a match, for each of its deals, unless the organiser says otherwise."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class GameSection(_Section):
    """Which game, under which variant; `parameters` changes single parameters of it."""

    name: str = "callbreak"
    variant: str | None = None
    deals: int | None = Field(default=None, ge=1, le=10_000)
    parameters: dict[str, Any] = Field(default_factory=dict)


class ScheduleSection(_Section):
    """Who meets whom. `orbits` is the length: in one orbit each bot sits once in every seat.

    In a gauntlet the first `challengers` bots play against the others.
    """

    format: str = "round-robin"
    orbits: int = Field(default=10, ge=1, le=10_000_000)
    challengers: int = Field(default=1, ge=1, le=1_000)


class LimitsSection(_Section):
    """Time in ms, memory in MB. `strikes` faults are forgiven in each match.

    `match_ms` is for all decisions of a bot in a match; without it, MATCH_MS_A_DEAL a deal. An
    answer up to `late_ms` over its limit still counts. `on_host_stall`: whether a timeout while
    this machine itself was starved is charged to the bot, or makes the match void to be played
    again; `auto` plays again only if the referee was stopped. `pause_idle` stops each bot while
    others think; without it a bot may use `idle_cpu_ms` of processor time then in each match (0:
    all that it likes, and others may be late for it). A bot that asks for writable space gets at
    most `scratch_mb`.
    """

    start_ms: int = Field(default=10_000, ge=1, le=3_600_000)
    move_ms: int = Field(default=1_000, ge=1, le=3_600_000)
    match_ms: int | None = Field(default=None, ge=1, le=86_400_000)
    grace_ms: int = Field(default=200, ge=0, le=60_000)
    memory_mb: int = Field(default=512, ge=16, le=1_000_000)
    processes: int = Field(default=64, ge=1, le=100_000)
    scratch_mb: int = Field(default=0, ge=0, le=1_000_000)
    strikes: int = Field(default=0, ge=0, le=1_000_000)
    late_ms: int = Field(default=0, ge=0, le=60_000)
    on_host_stall: OnHostStall = "auto"
    pause_idle: bool = False
    idle_cpu_ms: int = Field(default=IDLE_CPU_MS, ge=0, le=86_400_000)


class SandboxSection(_Section):
    """Which provider (`auto` takes the first that satisfies `require`; `none` runs bots unshut).

    `toolchains` are folders of this machine that bots may name programs in, and see, read-only.
    """

    name: str = "auto"
    toolchains: list[str] = Field(default_factory=list, max_length=100)
    require: dict[str, Literal["enforced", "watched", "none"]] = Field(default_factory=dict)


class RunSection(_Section):
    """How it is played.

    `workers = 0` takes one a core. `restart = "match"` starts every bot afresh for every match.
    `most_processes` bots are kept running by a worker (0: what memory allows). A bot that faults in
    each of its matches of the first `withdraw_after` orbits is withdrawn (0: never). With
    `publish_seed`, the seed's hash is left in the run folder at the start and the seed at the end.
    With `transcripts`, every line sent to a bot and written by it is kept beside the records.
    `scheduler` is the address of a cluster's scheduler; its workers get the bots built
    (`ship = "built"`) or build them from their sources. A run on a cluster that has no worker waits
    `worker_wait_s` for one (0: for ever).
    """

    workers: int = Field(default=0, ge=0, le=4_096)
    executor: str = "local"
    scheduler: str = Field(default="", max_length=1_000)
    worker_wait_s: int = Field(default=WORKER_WAIT_S, ge=0, le=31_536_000)
    ship: Literal["built", "source"] = "built"
    restart: Literal["auto", "match"] = "auto"
    hide_names: bool = False
    most_processes: int = Field(default=0, ge=0, le=1_000_000)
    withdraw_after: int = Field(default=0, ge=0, le=1_000_000)
    publish_seed: bool = False
    transcripts: bool = False


class TournamentFile(_Section):
    """A whole tournament. `bots` are what a command takes as BOT; paths are from the file's folder.

    `seed` decides every card; without one it is 128 random bits.
    """

    name: str = Field(default="tournament", pattern=r"^[A-Za-z0-9][A-Za-z0-9._ -]{0,79}$")
    bots: list[str] = Field(min_length=1, max_length=100_000)
    seed: str | int | None = None
    game: GameSection = GameSection()
    schedule: ScheduleSection = ScheduleSection()
    limits: LimitsSection = LimitsSection()
    sandbox: SandboxSection = SandboxSection()
    run: RunSection = RunSection()

    @field_validator("seed")
    @classmethod
    def _is_some_text(cls, seed: str | int | None) -> str | int | None:
        if isinstance(seed, str) and not is_seed(seed):
            raise ValueError("a seed is a number or some text, in UTF-8")
        return seed

    def seed_text(self) -> str | None:
        """The seed as the text whose bytes key the shuffle; None if none was given."""
        return None if self.seed is None else str(self.seed)


def read_tournament(path: Path) -> TournamentFile:
    """The tournament file at `path`. Raises ConfigError naming key, fault and mend."""
    return check_tournament(read_content(path), where=str(path))


def read_content(path: Path) -> dict[str, Any]:
    """A tournament file as it was written, before it is checked. Raises ConfigError."""
    text = read_text(path, LIMIT_BYTES)
    try:
        return parse_toml(text)
    except TomlError as error:
        raise ConfigError(f"is {error}", where=str(path)) from None


def override(content: dict[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The content with some settings replaced. Keys of `changes` are paths such as `section.key`.

    A change to None is no change: that is how an option that was not given arrives here.
    """
    changed = copy.deepcopy(content)
    for path, value in changes.items():
        if value is not None:
            *sections, key = path.split(".")
            place = changed
            for section in sections:
                place = place.setdefault(section, {})
                if not isinstance(place, dict):
                    raise ConfigError(f"`{section}` has no settings of its own", where=path)
            place[key] = value
    return changed


def read_setting(text: str) -> tuple[str, Any]:
    """The path and the value of `section.key=value`; a value that is no TOML is a string."""
    path, _, value = (part.strip() for part in text.partition("="))
    if not (path and value):
        raise ConfigError(f"{text!r} is no setting", where="--set", mend="write SECTION.KEY=VALUE")
    try:
        return path, parse_toml(f"value = {value}")["value"]
    except TomlError:
        return path, value


def check_tournament(content: dict[str, Any], *, where: str) -> TournamentFile:
    """The checked form of a tournament file's content. Raises ConfigError."""
    try:
        return TournamentFile.model_validate(content)
    except ValidationError as error:
        raise ConfigError(_first_complaint(error), where=where) from error


def _first_complaint(error: ValidationError) -> str:
    first = first_complaint(error)
    if first.is_unknown:
        return f"`{first.place}` is no setting{_hint(first.place)}"
    if first.is_missing:
        return f"`{first.place}` is missing"
    said = _PROBLEMS.get(first.kind, first.said)
    return f"`{first.place}`: {said}, got {str(first.given)[:60]!r}"


_PROBLEMS = {
    "string_pattern_mismatch": "a letter or digit, then letters, digits, spaces and ._-, "
    "at most 80",
    "too_short": "there must be at least one",
}
"""What pydantic says for programmers, said for organisers."""


def _hint(place: str) -> str:
    """The setting that was probably meant: of that name in any section, or of nearly that name."""
    known = _known_settings()
    key = place.rpartition(".")[2]
    same = [setting for setting in known if setting.rpartition(".")[2] == key]
    near = difflib.get_close_matches(place, known, 1, cutoff=0.7)
    meant = same or near
    return f"; did you mean `{meant[0]}`?" if meant else ""


def _known_settings() -> list[str]:
    """Every setting by its path, such as `limits.move_ms`."""
    fields = TournamentFile.model_fields
    sections = {
        name: field.annotation.model_fields
        for name, field in fields.items()
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel)
    }
    inner = [f"{section}.{key}" for section, keys in sections.items() for key in keys]
    return [*fields, *inner]
