"""What an adapter does: it puts a bridge between our protocol and a bot that speaks another one.

A bot whose manifest says `adapter = "NAME"` is started by that adapter's bridge, a program that
lies beside the bot's files in its private copy, runs inside the same sandbox and starts the bot
itself. To the referee the two are one bot: whatever the bot does wrong, the bridge shows as such.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from arena.bots.bot import Bot
from arena.guard import broken
from arena.lookup import pick


@dataclass(frozen=True, slots=True)
class Bridge:
    """How a bridged bot is started: instead of its own `run` and `env`.

    `files` are laid into the bot's private copy: a relative name and the content. `loopback`,
    `needs` and `shows` are what the sandbox has to allow (see `arena.sandbox.api.Program`).
    """

    run: tuple[str, ...]
    env: Mapping[str, str]
    files: Mapping[str, bytes] = field(default_factory=dict)
    loopback: bool = False
    needs: tuple[str, ...] = ()
    shows: tuple[Path, ...] = ()

    def bridged(self, bot: Bot) -> Bot:
        """The bot as it is started through this bridge."""
        return replace(
            bot,
            run=self.run,
            env=self.env,
            loopback=self.loopback,
            needs=self.needs,
            shows=self.shows,
        )


class Adapter(Protocol):
    """Plays bots of one other interface; plugins bring it through the hook `arena_adapters`."""

    @property
    def name(self) -> str:
        """What a manifest says: `adapter = "NAME"`, with settings in the table `[NAME]`."""
        ...

    def bridge(self, bot: Bot) -> Bridge:
        """The bridge for a bot, by its `run`, `env` and `settings`; `folder` is still the author's.

        Raises ConfigError that names the setting.
        """
        ...

    def manifest(self, folder: Path) -> str:
        """A `bot.toml` for a bot of that interface that lies in `folder`, for `arena new --from`.

        Raises ConfigError if it cannot be told how the bot is started.
        """
        ...


def bridge_of(bot: Bot, adapters: Mapping[str, Adapter]) -> Bridge | None:
    """The bridge that a bot wants; None if it speaks our protocol. Raises ConfigError."""
    if not bot.adapter:
        return None
    adapter = pick(adapters, bot.adapter, "adapter", where=f"bot {bot.name}")
    bridge = adapter.bridge(bot)
    if not isinstance(bridge, Bridge):
        raise broken("adapter", adapter, f"`bridge` gives {type(bridge).__name__}, not a Bridge")
    return bridge
