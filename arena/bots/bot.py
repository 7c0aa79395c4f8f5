"""A bot as the rest of the harness knows it: plain data that crosses process boundaries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.records import BotId


@dataclass(frozen=True, slots=True)
class Bot:
    """A program with an identity.

    `folder` is where its files lie; argv `run` is started there. `only` is set for a bot that is
    one file: nothing else in `folder` belongs to it. `ready` is true once `folder` is a private
    copy that holds exactly the files of the digest, built if it has to be (`build_bot`); only such
    a bot may play. `scratch_mb` is the writable space that it asks for, `image` the container it
    wants, `adapter` (with `settings`) the bridge through which it speaks.
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

    @property
    def name(self) -> str:
        return self.id.name
