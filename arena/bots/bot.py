"""A bot as the rest of the harness knows it: plain data that crosses process boundaries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from arena.records import BotId
from arena.sandbox.api import Limits, Program


@dataclass(frozen=True, slots=True)
class Bot:
    """A program with an identity.

    `folder` is where its files lie; argv `run` is started there. `only` is set for a bot that is
    one file: nothing else in `folder` belongs to it. `ready` is true once `folder` is a private
    copy that holds exactly the files of the digest, built if it has to be (`build_bot`); only such
    a bot may play. `scratch_mb` is the writable space that it asks for, `image` the container it
    wants, `adapter` (with `settings`) the bridge through which it speaks. Once it is `ready`, a
    bridged bot's `run` and `env` are the bridge's, and `loopback`, `needs` and `shows` are what
    that asks of the sandbox (see `Program`).
    """

    id: BotId
    folder: Path
    run: tuple[str, ...]
    build: tuple[str, ...] = ()
    language: str = ""
    author: str = ""
    description: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    image: str = ""
    scratch_mb: int = 0
    adapter: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    only: str = ""
    ready: bool = False
    loopback: bool = False
    needs: tuple[str, ...] = ()
    shows: tuple[Path, ...] = ()

    @property
    def name(self) -> str:
        return self.id.name

    def program(self, core: int | None = None) -> Program:
        """What a sandbox runs to have this bot play, pinned to `core`."""
        return Program(
            folder=self.folder,
            argv=self.run,
            env=self.env,
            core=core,
            loopback=self.loopback,
            needs=self.needs,
            shows=self.shows,
            image=self.image,
        )

    def limits(self, allowed: Limits) -> Limits:
        """What it may use: what the organiser allows, and no more space than it asks for."""
        return replace(allowed, scratch_mb=min(self.scratch_mb, allowed.scratch_mb))
