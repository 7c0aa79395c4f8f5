"""The view of a game, found by the game's name; the plain one if nobody brings another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena import plugins
from arena.errors import ConfigError
from arena.games.callbreak.game import Callbreak
from arena.lookup import pick
from arena.report.escape import visible
from arena.report.plain_replay import PLAIN
from arena.report.view import GameView, Stepped


def view_of(manager: plugins.Manager, game: str) -> GameView:
    """How a game is shown."""
    view: GameView = plugins.views(manager).get(game, PLAIN)
    return view


def stepped(manager: plugins.Manager, record: Mapping[str, Any]) -> Stepped:
    """A record, to be stepped through. Raises ConfigError if it cannot."""
    where = f"match {visible(str(record.get('match', '?')))}"
    name = visible(str(record.get("game", Callbreak.name)))
    game = pick(plugins.games(manager), name, "game", where=where)
    if not isinstance(record.get("seats"), list):
        raise ConfigError("the record does not name its bots (`seats`)", where=where)
    return view_of(manager, name).step(game, record)
