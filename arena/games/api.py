"""What every game keeps, in OpenSpiel's words. The referee knows games only through this file.

Actions inside are small integers chosen by the game; `encode` gives their wire form (an integer or
a string). Scores inside are integers in tenths of a point. A `State` is changed in place by
`apply`; `clone` copies it. A class that inherits from `State` gets the methods that have a body.
Nothing here does I/O or looks at a clock, and all chance is drawn from the match seed before the
first action.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, runtime_checkable

import orjson

Action = int
WireAction = int | str

MOST_SEATS: Final = 16

TERMINAL: Final = -1
"""What `current_player` gives when the match is over."""


@dataclass(frozen=True, slots=True)
class Position:
    """Where in a match something happened. `deal` from 1; `trick` from 1, None during calls."""

    deal: int
    trick: int | None


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a replay of a record found: `error` is empty if the record keeps the rules.

    `error` says what differs; `deal` and `trick` where (from 1), None outside of one. `asked` says,
    by seat, how many decisions its bot faced: all of its seat's, or those before the one at which
    a fault retired it.
    """

    error: str = ""
    deal: int | None = None
    trick: int | None = None
    asked: tuple[int, ...] = field(default=(), compare=False)


class State(Protocol):
    """A match under way."""

    def current_player(self) -> int:
        """The seat to act (0-based), or TERMINAL."""
        ...

    def legal_actions(self) -> Sequence[Action]:
        """Never empty unless terminal; in the order in which the wire lists them."""
        ...

    def apply(self, action: Action) -> None:
        """Plays a legal action. Raises ValueError, changing nothing, if it is not legal."""
        ...

    def clone(self) -> State: ...

    def is_terminal(self) -> bool: ...

    def returns(self) -> Sequence[int]:
        """Totals so far in tenths, by seat."""
        ...

    def kind(self) -> str:
        """What is asked of the player to act (`call`, `play`): the wire's `kind`, a plain word."""
        ...

    def encode(self, action: Action) -> WireAction:
        """The wire form of an action of the kind now asked for."""
        ...

    def decode(self, sent: object) -> Action | None:
        """The legal action whose wire form was sent, in value and JSON type; None if it is none."""
        for action in self.legal_actions():
            wire = self.encode(action)
            if type(sent) is type(wire) and sent == wire:
                return action
        return None

    def observation(self, seat: int) -> dict[str, Any]:
        """The wire's `state`: all that this seat may know, and nothing else."""
        ...

    def observation_json(self, seat: int) -> str:
        """`observation` as compact JSON. A game whose decisions must be cheap builds it faster."""
        return orjson.dumps(self.observation(seat)).decode()

    def legal_json(self) -> str:
        """The wire forms of the legal actions as a compact JSON list."""
        return orjson.dumps([self.encode(action) for action in self.legal_actions()]).decode()

    def question(self, seat: int) -> tuple[str, str, str]:
        """`kind`, `observation_json` and `legal_json` for the player to act, who sits there."""
        return self.kind(), self.observation_json(seat), self.legal_json()

    def answer(self, sent: object) -> int | None:
        """Plays the legal action whose wire form was sent, and gives the `current_player` then.

        None, changing nothing, if it is none. This and `question` are what a match asks of every
        decision, so that each of them costs one call.
        """
        action = self.decode(sent)
        if action is None:
            return None
        self.apply(action)
        return self.current_player()

    def fallback(self) -> Action:
        """The action that plays for a retired bot."""
        ...

    def position(self) -> Position: ...

    def events(self) -> Sequence[dict[str, Any]]:
        """Public notifications (wire messages, same for all seats) since the last call of this."""
        ...

    def record(self) -> Sequence[dict[str, Any]]:
        """The record's `deals` so far: finished deals, JSON-ready."""
        ...


class Game(Protocol):
    """Rules under a name. `version` changes whenever the same actions could give another result."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    @property
    def seats(self) -> int:
        """How many sit at a table, 2 to MOST_SEATS: in the default variant, if variants differ."""
        ...

    def variants(self) -> Mapping[str, Mapping[str, Any]]:
        """The named presets: JSON-ready parameters by name, the default first."""
        ...

    def variant(self, name: str, parameters: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """A complete, checked parameter set, JSON-ready, with its `name`.

        A preset's name gives the preset; `parameters` may then change the number of deals alone.
        Any other change needs a name of its own: it is laid over the preset that the parameter
        `base` names, or over the default. A complete set, given again, is checked and comes back.
        Raises ConfigError naming the parameter that is wrong.
        """
        ...

    def deals_of(self, variant: Mapping[str, Any]) -> int:
        """How many deals a match of this variant has."""
        ...

    def new_match(self, seed: str, variant: Mapping[str, Any]) -> State: ...

    def replay(self, record: Mapping[str, Any]) -> Replayed:
        """Plays a record (the contract's JSON form) again and compares every fact in it.

        From the fault that retired a bot on, its seat's actions must be the fallback's.
        """
        ...

    def rules_text(self, variant: Mapping[str, Any]) -> str:
        """The rules in plain words (Markdown), for `arena rules`."""
        ...


@runtime_checkable
class SizedGame(Protocol):
    """A game whose variants differ in their number of seats."""

    def seats_of(self, variant: Mapping[str, Any]) -> int:
        """How many sit at a table of this variant, 2 to MOST_SEATS."""
        ...


def seats_of(game: Game, variant: Mapping[str, Any]) -> int:
    """How many sit at a table of this game and variant."""
    return game.seats_of(variant) if isinstance(game, SizedGame) else game.seats


@runtime_checkable
class BoundedGame(Protocol):
    """A game that knows how far scores can lie apart. Tests that hold for any bots need it."""

    def span(self, variant: Mapping[str, Any], *, duel: bool) -> float:
        """The most points a deal by which the paired difference of one deal set can leave zero.

        In a duel, two seats against two in both matches: half of the most by which two seats of one
        deal can together lead the other two, as each of the two matches counts half of the mean of
        two seats. Otherwise one seat's points in one match less those in the other.
        """
        ...
