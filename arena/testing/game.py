"""A kit for games: one test that every game must pass, built in or not.

Theory of operation: matches are played at random, and at every position each promise of
`arena.games.api` that can be checked from outside is checked; then the record of the match is
replayed, as it is and with changes. A failed promise is an AssertionError that says which one and
where, so a test of a game is one line:

    def test_my_game_keeps_the_interface():
        check_game(MyGame())

What the rules are, the kit cannot know: that hidden cards stay hidden and that the right side wins
needs tests of your own.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

from arena.errors import ConfigError
from arena.games.api import (
    TERMINAL,
    AccountingGame,
    Game,
    Position,
    Replayed,
    State,
    WireAction,
    actions_of,
)
from arena.records import points_from_tenths, ranks_of

MAX_DECISIONS = 100_000
"""A match that asks for more decisions is taken for endless."""


def check_game(game: Game, *, matches: int = 5, seed: str = "check_game") -> None:
    """Every variant of a game keeps the interface in `matches` random matches.

    Raises AssertionError that names the first promise broken.
    """
    _check_names(game)
    for name in game.variants():
        variant = _checked_variant(game, name)
        _check_choices_repeat(game, variant, seed)
        _check_fallback_match(game, variant, seed)
        for match in range(matches):
            match_seed = f"{seed} {match}"
            playout = _Playout(game, variant, match_seed)
            _check_record(game, variant, match_seed, playout.play(), playout.actions)


def _require(kept: bool, promise: str, where: str) -> None:
    if not kept:
        raise AssertionError(f"{where}: {promise}")


def _require_json(value: object, what: str, where: str) -> None:
    """Plain JSON values only: a tuple or an enum would come back as something else."""
    try:
        same = _same_types(json.loads(json.dumps(value, allow_nan=False)), value)
    except (TypeError, ValueError) as error:
        raise AssertionError(f"{where}: {what} is not JSON-ready: {error}") from None
    _require(same, f"{what} changes when it is written as JSON and read again", where)


def _same_types(read: object, written: object) -> bool:
    if type(read) is not type(written):
        return False
    if isinstance(read, dict) and isinstance(written, dict):
        return list(read) == list(written) and all(_same_types(read[k], written[k]) for k in read)
    if isinstance(read, list) and isinstance(written, list):
        return len(read) == len(written) and all(map(_same_types, read, written))
    return read == written


# The game ---------------------------------------------------------------------------------------


def _check_names(game: Game) -> None:
    _require(bool(game.name) and isinstance(game.name, str), "`name` is a string", "game")
    _require(bool(game.version) and isinstance(game.version, str), "`version` is a string", "game")
    _require(type(game.seats) is int and game.seats >= 2, "`seats` is at least 2", "game")
    _require(bool(game.variants()), "`variants` has a default", "game")
    unknown = "no-such-variant"
    try:
        game.variant(unknown)
    except ConfigError:
        return
    raise AssertionError(f"game: `variant({unknown!r})` must raise ConfigError, not guess")


def _checked_variant(game: Game, name: str) -> dict[str, Any]:
    where = f"variant {name!r}"
    variant = game.variant(name)
    _require_json(variant, "the variant", where)
    _require(variant.get("name") == name, "the variant holds its `name`", where)
    _require(game.variant(name, variant) == variant, "a complete set comes back the same", where)
    _require(game.deals_of(variant) >= 1, "`deals_of` is at least 1", where)
    _require(bool(game.rules_text(variant).strip()), "`rules_text` is not empty", where)
    try:
        game.variant(name, {"no_such_parameter": 1})
    except ConfigError as error:
        _require("no_such_parameter" in str(error), "ConfigError names the parameter", where)
    else:
        raise AssertionError(f"{where}: an unknown parameter must raise ConfigError")
    return variant


def _check_choices_repeat(game: Game, variant: Mapping[str, Any], seed: str) -> None:
    """All chance comes from the seed: the same choices give the same match."""
    first, second = (_random_match(game, variant, seed) for _ in range(2))
    _require(first == second, "the same seed and choices give the same match", f"seed {seed!r}")


def _random_match(game: Game, variant: Mapping[str, Any], seed: str) -> list[object]:
    state, rng = game.new_match(seed, variant), random.Random(seed)
    for _ in range(MAX_DECISIONS):
        if state.is_terminal():
            return [list(state.record()), list(state.returns())]
        state.apply(rng.choice(state.legal_actions()))
    raise AssertionError(f"seed {seed!r}: the match has no end")


def _check_fallback_match(game: Game, variant: Mapping[str, Any], seed: str) -> None:
    """The fallback can play every seat to the end."""
    state = game.new_match(seed, variant)
    for _ in range(MAX_DECISIONS):
        if state.is_terminal():
            return
        _require(state.fallback() in state.legal_actions(), "`fallback` is legal", f"seed {seed!r}")
        state.apply(state.fallback())
    raise AssertionError(f"seed {seed!r}: with the fallback in every seat the match has no end")


# A match ----------------------------------------------------------------------------------------


class _Playout:
    """One match at random, checked at every position."""

    def __init__(self, game: Game, variant: Mapping[str, Any], seed: str) -> None:
        self.game = game
        self.rng = random.Random(seed)
        self.deals = game.deals_of(variant)
        self.state = game.new_match(seed, variant)
        self.match = f"variant {variant['name']!r}, seed {seed!r}"
        self.decision = 0
        self.at = Position(1, None)
        self.actions: list[WireAction] = []

    def play(self) -> State:
        """The finished match."""
        while not self.state.is_terminal():
            self.decision += 1
            self._require(self.decision <= MAX_DECISIONS, "the match ends")
            self._check_position()
            self._check_actions()
            self._check_illegal()
            self._check_clone()
            self._check_answer()
            action = self.rng.choice(self.state.legal_actions())
            self.actions.append(self.state.encode(action))
            self.state.apply(action)
            self._check_events()
        self._check_end()
        return self.state

    @property
    def where(self) -> str:
        return f"{self.match}, decision {self.decision}"

    def _require(self, kept: bool, promise: str) -> None:
        _require(kept, promise, self.where)

    def _check_position(self) -> None:
        at = self.state.position()
        self._require(1 <= at.deal <= self.deals, "`position` counts deals from 1")
        self._require(at.deal >= self.at.deal, "`position` never goes back")
        self._require(at.trick is None or at.trick >= 1, "`position` counts tricks from 1")
        self.at = at

    def _check_actions(self) -> None:
        state = self.state
        legal = list(state.legal_actions())
        wire = [state.encode(action) for action in legal]
        seats = range(self.game.seats)
        self._require(state.current_player() in seats, "`current_player` is a seat")
        self._require(bool(legal), "`legal_actions` is not empty")
        self._require(all(type(action) is int for action in legal), "actions are integers")
        self._require(len(set(legal)) == len(legal), "no action is listed twice")
        self._require(len(set(wire)) == len(wire), "no two actions have the same wire form")
        self._require(all(type(w) in (int, str) for w in wire), "`encode` gives int or str")
        self._require(len({type(w) for w in wire}) == 1, "one decision has one wire type")
        self._require(state.fallback() in legal, "`fallback` is legal")
        self._require([state.decode(w) for w in wire] == legal, "`decode` undoes `encode`")
        self._require(json.loads(state.legal_json()) == wire, "`legal_json` lists the wire forms")
        for seat in seats:
            known = state.observation(seat)
            _require_json(known, f"`observation({seat})`", self.where)
            same = json.loads(state.observation_json(seat)) == known
            self._require(same, f"`observation_json({seat})` is `observation({seat})`")
        asked = state.current_player()
        pieces = (state.kind(), state.observation_json(asked), state.legal_json())
        self._require(state.question(asked) == pieces, "`question` is its three parts")
        self._require(bool(state.kind()), "`kind` says what is asked")
        self._require(list(state.legal_actions()) == legal, "looking changes nothing")

    def _seen(self, state: State) -> list[object]:
        """All that can be seen of a position without taking its events."""
        seats = range(self.game.seats)
        return [
            [state.observation(seat) for seat in seats],
            [state.encode(action) for action in state.legal_actions()],
            [state.current_player(), state.kind(), state.position()],
            [list(state.returns()), list(state.record())],
        ]

    def _check_illegal(self) -> None:
        before = self._seen(self.state)
        legal = self.state.legal_actions()
        candidates = {-1, min(legal) - 1, max(legal) + 1, 10**6, self.rng.randrange(64)}
        for action in sorted(candidates.difference(legal)):
            try:
                self.state.apply(action)
            except ValueError:
                continue
            raise AssertionError(
                f"{self.where}: `apply({action})`, not legal, must raise ValueError"
            )
        self._require(self._seen(self.state) == before, "a refused action changes nothing")

    def _check_clone(self) -> None:
        before, twin = self._seen(self.state), self.state.clone()
        self._require(self._seen(twin) == before, "a clone is the same position")
        twin.apply(self.rng.choice(twin.legal_actions()))
        self._require(self._seen(self.state) == before, "a clone plays on without the original")

    def _check_answer(self) -> None:
        applied, answered = self.state.clone(), self.state.clone()
        action = self.rng.choice(applied.legal_actions())
        self._require(answered.answer(None) is None, "`answer` refuses what is no action")
        player = answered.answer(answered.encode(action))
        applied.apply(action)
        self._require(player == applied.current_player(), "`answer` gives the player to act then")
        same = self._seen(answered) == self._seen(applied)
        self._require(same, "`answer` plays the action that was sent")

    def _check_events(self) -> None:
        for event in self.state.events():
            _require_json(event, "an event", self.where)
            self._require(isinstance(event.get("type"), str), "an event has a `type`")
            self._require("id" not in event, "an event wants no answer, so it has no `id`")
        self._require(not self.state.events(), "each event is given once")

    def _check_end(self) -> None:
        state = self.state
        self._require(state.current_player() == TERMINAL, "at the end nobody is to act")
        self._require(not state.legal_actions(), "at the end nothing is legal")
        self._require(state.clone().is_terminal(), "the clone of a finished match is finished")
        self._require(len(state.returns()) == self.game.seats, "`returns` has an entry a seat")
        self._require(all(type(t) is int for t in state.returns()), "`returns` are whole tenths")
        self._require(len(state.record()) == self.deals, "`record` has every deal")
        _require_json(list(state.record()), "`record`", self.where)


# The record -------------------------------------------------------------------------------------


def _check_record(
    game: Game,
    variant: Mapping[str, Any],
    seed: str,
    state: State,
    actions: Sequence[WireAction],
) -> None:
    """The record replays; with another score, without a key, or as nonsense, it gives an error."""
    where = f"variant {variant['name']!r}, seed {seed!r}, replay"
    record = record_of(game, variant, seed, state, actions)
    same = list(actions_of(game, record)) == list(actions)
    _require(same, "`actions` gives the actions in the order of play", where)
    found = game.replay(record)
    _require(found == Replayed(), f"the record must replay, but gives {found.error!r}", where)
    wrong_scores = [record["scores"][0] + 1, *record["scores"][1:]]
    missing = [{k: v for k, v in record.items() if k != key} for key in ("deals", "scores")]
    wrong: list[dict[str, Any]] = [
        {**record, "scores": wrong_scores},
        {**record, "deals": record["deals"][:-1]},
        {**record, "deals": 1},
        {**record, "variant": None},
        {},
        *missing,
    ]
    for changed in wrong:
        _require(bool(game.replay(changed).error), "a wrong record must give an error", where)


def record_of(
    game: Game,
    variant: Mapping[str, Any],
    seed: str,
    state: State,
    actions: Sequence[WireAction] = (),
) -> dict[str, Any]:
    """The facts of a finished match without faults that a replay needs, in the record's form."""
    totals = tuple(state.returns())
    return {
        "record": 1,
        "game": game.name,
        "variant": dict(variant),
        "seed": seed,
        "deals": list(state.record()),
        "scores": [points_from_tenths(total) for total in totals],
        "ranks": list(ranks_of(totals, (False,) * game.seats)),
        "faults": [],
        **({} if isinstance(game, AccountingGame) else {"actions": list(actions)}),
    }
