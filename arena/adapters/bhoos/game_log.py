"""Game logs of the 2022 tournament as its server wrote them: JSON, read and checked.

Lists of four are by player, and players sit in turn order. The cards of a trick are in playing
order, `null` where a deal was cut off. `scores` are running totals. The keys of `errors` are the
index of a trick, or -1 for the calls.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from arena_protocol.complaints import first_complaint
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from arena.bounded import RECORD_LIMIT_BYTES, read_text
from arena.errors import ConfigError

SEATS = 4
TRICKS = 13
CALLS = -1
"""The key of errors in the calls."""

Seat = Annotated[int, Field(ge=0, lt=SEATS)]
Four = Field(min_length=SEATS, max_length=SEATS)


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Correction(_Part):
    """What the server put in the place of an answer."""

    prev: str | int | None = None
    next: str | int | None = None


class LoggedError(_Part):
    """An answer that the server did not accept. Without a correction it ended the game."""

    type: str
    turn: int | None = None
    correction: Correction | None = None


class Action(_Part):
    """A trick."""

    started: Seat
    cards: Annotated[list[str | None], Field(max_length=SEATS)]
    ended: Seat | None = None

    def is_whole(self) -> bool:
        return len(self.cards) == SEATS and None not in self.cards and self.ended is not None


class Round(_Part):
    """A deal."""

    dealer: Seat
    cards: Annotated[list[list[str]], Four]
    bids: Annotated[list[int | None], Four]
    actions: Annotated[list[Action], Field(max_length=TRICKS)]
    scores: Annotated[list[float], Four]
    errors: dict[int, list[LoggedError]] = {}

    def is_whole(self) -> bool:
        """True if it was played to its end."""
        return len(self.actions) == TRICKS and all(action.is_whole() for action in self.actions)


class GameLog(_Part):
    """A game."""

    players: Annotated[list[str], Four]
    rounds: list[Round]


def read_logs(path: Path) -> Iterator[tuple[str, GameLog]]:
    """Each game of a file and what to call it: one object, a list of them, or one a line.

    Raises ConfigError that says what is wrong and where.
    """
    games = _games(path)
    for number, game in enumerate(games, start=1):
        name = path.stem if len(games) == 1 else f"{path.stem}-{number}"
        try:
            yield name, GameLog.model_validate(game)
        except ValidationError as error:
            first = first_complaint(error)
            what = f"{first.place or 'the game'}: {first.said[:120]}"
            raise ConfigError(what, where=f"{path}, game {number}", mend=_EXPECTED) from None


_EXPECTED = "expected a game log with `players` and `rounds`"


def _games(path: Path) -> list[Any]:
    text = read_text(path, RECORD_LIMIT_BYTES, mend="import it in pieces")
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return _lines(path, text)
    return whole if isinstance(whole, list) else [whole]


def _lines(path: Path, text: str) -> list[Any]:
    games = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            games += [json.loads(line)] if line.strip() else []
        except (ValueError, RecursionError) as error:
            where = f"{path}, line {number}"
            raise ConfigError(f"is not JSON: {error}", where=where, mend=_EXPECTED) from None
    return games
