"""Whether a state keeps the interface where it stands now: asked when something has gone wrong.

A game's mistake must not be charged to a bot. So before the referee charges a bot that was asked,
it has the question looked at; and when a match breaks off, this names the member that gave what
cannot be refereed. Nothing here is called for a decision that goes well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import orjson

from arena.games.api import TERMINAL, Position, State
from arena.guard import shown

Look = Callable[[State, int], str]

_JOINTS = str.maketrans("-_", "aa")


def flaw(state: State, seats: int) -> str:
    """What the state gives that cannot be refereed, by its member; empty if nothing.

    `seats` is the size of the table. The state's events are used up.
    """
    asking = ((member, look) for member, look in _ASKING if state.current_player() != TERMINAL)
    for member, look in chain(_ALWAYS, asking):
        try:
            wrong = look(state, seats)
        except (Exception, SystemExit) as error:  # whatever a stranger's code raises
            return f"`{member}` raises {shown(error)}"
        if wrong:
            return f"`{member}` {wrong}"
    return ""


def _player(state: State, seats: int) -> str:
    player: object = state.current_player()
    if type(player) is int and (player == TERMINAL or 0 <= player < seats):
        return ""
    return f"gives {player!r} at a table of {seats} seats"


def _returns(state: State, seats: int) -> str:
    totals: Sequence[object] = list(state.returns())
    if len(totals) != seats:
        return f"gives {len(totals)} totals at a table of {seats} seats"
    odd = [total for total in totals if type(total) is not int]
    return f"gives {odd[0]!r}, not a whole number of tenths" if odd else ""


def _events(state: State, seats: int) -> str:
    return _messages(state.events())


def _record(state: State, seats: int) -> str:
    return _messages(state.record())


def _messages(given: object) -> str:
    if not isinstance(given, Sequence):
        return f"gives {type(given).__name__}, not a list"
    odd = [each for each in given if not isinstance(each, dict)]
    if odd:
        return f"gives a list with {type(odd[0]).__name__}, not dict"
    try:
        orjson.dumps(list(given))
    except TypeError as error:
        return f"gives what JSON has no form for ({error})"
    return ""


def _place(state: State, seats: int) -> str:
    place: object = state.position()
    return "" if isinstance(place, Position) else f"gives {type(place).__name__}, not a Position"


def _kind(state: State, seats: int) -> str:
    return _word(state.kind())


def _word(kind: object) -> str:
    if isinstance(kind, str) and kind.isascii() and kind.translate(_JOINTS).isalnum():
        return ""
    return f"gives {kind!r}, not a plain word"


def _observation_json(state: State, seats: int) -> str:
    return _object(state.observation_json(state.current_player()))


def _object(told: Any) -> str:
    try:
        return "" if isinstance(orjson.loads(told), dict) else f"is no JSON object: {told[:60]!r}"
    except orjson.JSONDecodeError as error:
        return f"is no JSON ({error}): {told[:60]!r}"


def _legal(state: State, seats: int) -> str:
    if not list(state.legal_actions()):
        return "is empty, and the match is not over"
    return ""


def _legal_json(state: State, seats: int) -> str:
    return _actions(state.legal_json())


def _actions(told: Any) -> str:
    try:
        actions = orjson.loads(told)
    except orjson.JSONDecodeError as error:
        return f"is no JSON ({error}): {told[:60]!r}"
    if not isinstance(actions, list) or not actions:
        return f"is not a list of actions: {told[:60]!r}"
    odd = [each for each in actions if type(each) not in (int, str)]
    return f"lists {odd[0]!r}, not a number or text" if odd else ""


def _decode(state: State, seats: int) -> str:
    refused = [act for act in orjson.loads(state.legal_json()) if state.decode(act) is None]
    return f"takes {refused[0]!r} for illegal, which `legal_json` lists" if refused else ""


def _question(state: State, seats: int) -> str:
    kind, observation, legal = state.question(state.current_player())
    return _word(kind) or _object(observation) or _actions(legal)


def _fallback(state: State, seats: int) -> str:
    action = state.fallback()
    if action in list(state.legal_actions()):
        return ""
    return f"gives {action!r}, which is not legal"


_ALWAYS: tuple[tuple[str, Look], ...] = (
    ("current_player", _player),
    ("returns", _returns),
    ("events", _events),
    ("record", _record),
)

_ASKING: tuple[tuple[str, Look], ...] = (
    ("position", _place),
    ("legal_actions", _legal),
    ("kind", _kind),
    ("observation_json", _observation_json),
    ("legal_json", _legal_json),
    ("decode", _decode),
    ("question", _question),
    ("fallback", _fallback),
)
"""What is looked at while a player is to act, in this order."""
