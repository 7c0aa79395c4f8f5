"""Finds out whether a match broke off by the game's mistake, and by which member of it."""

from __future__ import annotations

import traceback

from arena.errors import ArenaError, PluginError
from arena.games.api import State
from arena.games.soundness import flaw
from arena.guard import broken, is_ours, shown
from arena.referee.api import Table
from arena.referee.session import LocalProtocolError

_MATCH = "arena.referee.match"
_NOT_THE_GAMES = (ArenaError, LocalProtocolError, OSError)


def game_blamed_for(error: BaseException, table: Table, state: State | None) -> PluginError | None:
    """The error that names the game, if the match broke off in a stranger's; else None.

    The match (match.py) asks the game and nobody else: what is raised from there, unless it is
    one of our own errors, is the game's. What a decider or an observer raises never passes there.
    """
    if isinstance(error, _NOT_THE_GAMES) or is_ours(table.game):
        return None
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    modules = [str(frame.f_globals.get("__name__", "")) for frame in frames]
    if _MATCH not in modules:
        return None
    last = len(modules) - 1 - modules[::-1].index(_MATCH)
    below = list(zip(modules[last + 1 :], frames[last + 1 :], strict=True))
    theirs = [frame for module, frame in below if module.partition(".")[0] != "arena"]
    inherited = [frame for module, frame in below if module == "arena.games.api"]
    names = [frame.f_code.co_name for frame in (*theirs[:1], *inherited[-1:])]
    called = [name for name in names if name.isidentifier()]  # a lambda has no name
    # `apply` that refuses an action is not at fault if the fallback chose it.
    wrong = "" if called and called[0] != "apply" else _flaw(state, len(table.seats))
    member = called[0] if called else "new_match"
    return broken("game", table.game, wrong or f"`{member}` raises {shown(error)}")


def _flaw(state: State | None, seats: int) -> str:
    return "" if state is None else flaw(state, seats)
