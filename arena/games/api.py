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

from arena.errors import ConfigError
from arena.records import FaultKind, points_from_tenths, ranks_of

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

        From the fault that retired a bot on, its seat's actions must be the fallback's. A class
        that inherits from `Game` has this from the list of actions in the record.
        """
        return replayed(self, record)

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
class AccountingGame(Protocol):
    """A game whose own account (`State.record`) says every action.

    The record of any other game keeps `actions`, the wire forms in the order of play.
    """

    def actions(self, record: Mapping[str, Any]) -> Sequence[WireAction]:
        """Every action of a record that keeps the rules, in the order of play."""
        ...


def has_chance(game: Game) -> bool:
    """False if the seed of a match decides nothing: the game then says `chance = False`."""
    return bool(getattr(game, "chance", True))


def actions_of(game: Game, record: Mapping[str, Any]) -> Sequence[WireAction]:
    """Every action of a record that keeps the rules, in the order of play.

    Raises ConfigError if the record, of a game that keeps no account of its own, has no `actions`.
    """
    if isinstance(game, AccountingGame):
        return game.actions(record)
    actions = record.get("actions")
    if not isinstance(actions, list | tuple):
        raise ConfigError("the record does not keep its actions (`actions`)")
    return actions


def replayed(game: Game, record: Mapping[str, Any]) -> Replayed:
    """What playing the actions of a record again finds: any game's `replay`. Never raises."""
    try:
        return _replayed(game, record)
    except ConfigError as error:
        return Replayed(str(error))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        return Replayed(f"the record cannot be read: {type(error).__name__}: {error}")


def _replayed(game: Game, record: Mapping[str, Any]) -> Replayed:
    variant = game.variant(record["variant"]["name"], record["variant"])
    state, seats = game.new_match(str(record["seed"]), variant), seats_of(game, variant)
    faults = [fault for fault in record.get("faults") or () if fault.get("retired", True)]
    retired = {fault["seat"]: _order(fault.get("deal"), fault.get("trick")) for fault in faults}
    # Charged in another's turn: the seat may have played its own action of this place before.
    idle = {fault["seat"] for fault in faults if fault.get("kind") == FaultKind.IDLE_CPU}
    asked = [0] * seats
    for action in actions_of(game, record):
        seat, at = state.current_player(), state.position()
        if seat == TERMINAL:
            return Replayed("there are actions after the end of the match")
        here, out = _order(at.deal, at.trick), retired.get(seat)
        asked[seat] += out is None or here < out or (here == out and seat in idle)
        if out is not None and here > out and action != state.encode(state.fallback()):
            what = f"a fault retired seat {seat}, and {action!r} is not the fallback's action"
            return Replayed(what, at.deal, at.trick)
        if state.answer(action) is None:
            return Replayed(f"seat {seat}'s action {action!r} is not legal", at.deal, at.trick)
    if not state.is_terminal():
        return Replayed("actions are missing: the match has not ended")
    totals = tuple(state.returns())
    ranks = ranks_of(totals, tuple(seat in retired for seat in range(seats)))
    wanted = {
        "deals": list(state.record()),
        "scores": [points_from_tenths(total) for total in totals],
        "ranks": list(ranks),
    }
    for key, value in wanted.items():
        if orjson.dumps(record[key]) != orjson.dumps(value):
            return Replayed(f"{key} are not those of the actions")
    return Replayed(asked=tuple(asked))


def _order(deal: int | None, trick: int | None) -> tuple[int, int]:
    return deal or 0, trick or 0


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
