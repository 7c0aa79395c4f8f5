"""A tournament from what was typed: bots, and options as settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena import plugins
from arena.cache import cache_folder
from arena.cli.options import Settings
from arena.tournament.config import check_tournament, override
from arena.tournament.prepare import Tournament, prepare


def typed_tournament(
    bots: Sequence[str], settings: Settings, *, game: Mapping[str, Any] | None = None
) -> Tournament:
    """The bots, ready to play a match that nobody rates; two of them may have the same name.

    `game` is the section of a tournament file. Raises ArenaError for whatever is wrong.
    """
    content = {"bots": list(bots), "game": dict(game or {})}
    file = check_tournament(override(content, settings), where="command line")
    return prepare(file, plugins.build_manager(), cache=cache_folder(), twins=True)
