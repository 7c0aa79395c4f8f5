"""The adapter `bhoos`: how a bot of the 2022 tournament is started behind its bridge."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

from arena_protocol.complaints import first_complaint
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from arena.adapters.bhoos.existing import manifest_for
from arena.bots.adapter import Bridge
from arena.bots.bot import Bot
from arena.errors import ConfigError

NAME = "bhoos"

BRIDGE_SOURCE = Path(__file__).with_name("bridge.py")
BRIDGE_FILE = ".arena-bhoos.py"
"""The bridge's name among the bot's files."""

PYTHON = "python3"
ISOLATED = ("-I", "-S")
"""The bridge's interpreter looks neither at the bot's variables nor into the bot's folder."""

DEFAULT_ENV = {"DEBUG": "0"}
"""Starter bots of that tournament fail at import when DEBUG is unset."""

Relative = Annotated[str, Field(min_length=1, max_length=4096)]


class Settings(BaseModel):
    """The table `[bhoos]` of a manifest."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    port: Annotated[int, Field(ge=1024, le=65535)] = 7000
    """Where the server listens."""
    clamp_call: bool = False
    """Raise a call below the least legal one to it, and note so in the record."""
    deal_ms: Annotated[int | None, Field(ge=1)] = None
    """What `timeBudget` says at most at the start of a deal; 1500 in that tournament."""
    python_packages: list[Relative] = []
    """Folders and wheels of the bot's own, put on Python's path."""
    venv: Relative | None = None
    """A virtual environment outside the bot's files, shown to it read-only."""


class Bhoos:
    """Plays the HTTP servers of the 2022 tournament."""

    name = NAME

    def bridge(self, bot: Bot) -> Bridge:
        """The server behind `bridge.py`, in one sandbox with a loopback interface of its own."""
        settings = read_settings(bot)
        venv = None if settings.venv is None else _venv(bot, settings.venv)
        server = bot.run if venv is None else (_in_venv(venv, bot.run[0]), *bot.run[1:])
        own = server[:1] if venv is None else (server[0], str(venv / "bin" / PYTHON))
        told = {
            "port": settings.port,
            "clamp_call": settings.clamp_call,
            "deal_ms": settings.deal_ms,
            "path": "" if venv is None else str(venv / "bin"),
        }
        return Bridge(
            run=(PYTHON, *ISOLATED, BRIDGE_FILE, json.dumps(told), *server),
            env=DEFAULT_ENV | _python_path(bot, settings.python_packages) | dict(bot.env),
            files={BRIDGE_FILE: BRIDGE_SOURCE.read_bytes()},
            loopback=True,
            needs=tuple(name for name in own if "/" not in name or os.path.isabs(name)),
            shows=() if venv is None else (venv,),
        )

    def manifest(self, folder: Path) -> str:
        return manifest_for(folder)


def read_settings(bot: Bot) -> Settings:
    """The checked table of the bot's manifest. Raises ConfigError that names the key."""
    try:
        return Settings.model_validate(dict(bot.settings))
    except ValidationError as error:
        first = first_complaint(error)
        key = f"`{first.place}`"
        what = f"unknown key {key}" if first.is_unknown else f"{key}: {first.said}"
        known = ", ".join(Settings.model_fields)
        raise ConfigError(what, where=f"bot {bot.name}, [{NAME}]", mend=f"keys: {known}") from None


def _python_path(bot: Bot, packages: list[str]) -> dict[str, str]:
    for package in packages:
        if os.path.isabs(package) or not (bot.build or (bot.folder / package).exists()):
            raise ConfigError(
                f"python_packages: {package} is not among the bot's files",
                where=f"bot {bot.name}, [{NAME}]",
                mend="pip install --target packages -r requirements.txt, in the bot's folder",
            )
    return {"PYTHONPATH": os.pathsep.join(packages)} if packages else {}


def _venv(bot: Bot, text: str) -> Path:
    venv = (bot.folder / Path(text).expanduser()).resolve()
    if not (venv / "bin" / PYTHON).exists():
        raise ConfigError(
            f"venv: {venv} is no virtual environment",
            where=f"bot {bot.name}, [{NAME}]",
            mend=f"python3 -m venv {venv} && {venv}/bin/pip install -r requirements.txt",
        )
    return venv


def _in_venv(venv: Path, program: str) -> str:
    inside = venv / "bin" / program
    return str(inside) if "/" not in program and inside.exists() else program
