"""The kit passes games that keep the interface, second games too, and catches each breach."""

import random

import pytest

from arena import hookimpl
from arena.errors import ConfigError
from arena.games.api import TERMINAL, Position, Replayed, State
from arena.games.callbreak.game import Callbreak
from arena.plugins import build_manager
from arena.records import points_from_tenths
from arena.testing.game import check_game


class HighCardState(State):
    """Each deal both players hold three numbers and show one; the higher takes the deal."""

    def __init__(self, hands):
        self.all_hands = hands
        self.finished, self.shown, self.fresh = [], [], []
        self.totals = [0, 0]

    def clone(self):
        twin = type(self)(self.all_hands)
        twin.finished, twin.shown = self.finished[:], self.shown[:]
        twin.fresh, twin.totals = self.fresh[:], self.totals[:]
        return twin

    def is_terminal(self):
        return len(self.finished) == len(self.all_hands)

    def current_player(self):
        return TERMINAL if self.is_terminal() else len(self.shown)

    def legal_actions(self):
        return [] if self.is_terminal() else self.all_hands[len(self.finished)][len(self.shown)]

    def apply(self, action):
        if action not in self.legal_actions():
            raise ValueError(f"{action} is not legal")
        self.shown.append(action)
        if len(self.shown) == 2:
            self.close_deal()

    def close_deal(self):
        points = [int(self.shown[seat] > self.shown[1 - seat]) for seat in range(2)]
        self.totals = [total + 10 * won for total, won in zip(self.totals, points, strict=True)]
        number = len(self.finished) + 1
        deal = {"deal": number, "hands": self.all_hands[number - 1], "shown": self.shown}
        self.finished.append(deal)
        self.fresh.append({"type": "deal_over", "deal": number, "shown": self.shown})
        self.shown = []

    def returns(self):
        return self.totals

    def kind(self):
        return "show"

    def encode(self, action):
        return action

    def observation(self, seat):
        number = self.position().deal
        return {"deal": number, "hand": self.all_hands[number - 1][seat]}

    def fallback(self):
        return self.legal_actions()[0]

    def position(self):
        return Position(min(len(self.finished) + 1, len(self.all_hands)), None)

    def events(self):
        fresh, self.fresh = self.fresh, []
        return fresh

    def record(self):
        return self.finished


class HighCard:
    """A second game, in one class and one entry point."""

    name = "high-card"
    version = "1"
    seats = 2
    state = HighCardState

    def variants(self):
        return {"short": {"name": "short", "deals": 2}}

    def variant(self, name, parameters=None):
        if name not in self.variants():
            raise ConfigError(f"there is no variant {name!r}")
        for key in parameters or {}:
            if key not in self.variants()[name]:
                raise ConfigError(f"there is no parameter {key!r}")
        return self.variants()[name] | dict(parameters or {})

    def deals_of(self, variant):
        return variant["deals"]

    def new_match(self, seed, variant):
        rng = random.Random(seed)
        deals = range(variant["deals"])
        return self.state([[sorted(rng.sample(range(20), 3)) for _ in range(2)] for _ in deals])

    def replay(self, record):
        try:
            state = self.new_match(record["seed"], record["variant"])
            for deal in record["deals"]:
                for action in deal["shown"]:
                    state.apply(action)
            same = record["scores"] == [points_from_tenths(total) for total in state.returns()]
            return Replayed("" if same and state.is_terminal() else "the record differs")
        except (KeyError, TypeError, ValueError):
            return Replayed("this is no record")

    def rules_text(self, variant):
        return "The higher number takes the deal."

    @hookimpl
    def arena_games(self):
        return [self]


def test_callbreak_keeps_the_interface():
    check_game(Callbreak(), matches=1)


def test_a_second_game_keeps_the_interface_and_is_registered_by_one_hook():
    check_game(HighCard())
    manager = build_manager(entry_points=False)
    manager.register(HighCard())
    names = [game.name for games in manager.hook.arena_games() for game in games]
    assert sorted(names) == ["callbreak", "high-card"]


class Mutable(HighCardState):
    def clone(self):
        return self


class Careless(HighCardState):
    def apply(self, action):
        hand = self.legal_actions()
        super().apply(action if action in hand else hand[0])


class Deaf(HighCardState):
    def answer(self, sent):
        if sent is None:
            return None
        after = self.clone()
        after.apply(sent)
        return after.current_player()


class Forgetful(HighCardState):
    def events(self):
        return self.fresh


class Tuples(HighCardState):
    def observation(self, seat):
        return {"hand": tuple(super().observation(seat)["hand"])}


class Stranger(HighCardState):
    def fallback(self):
        return max(self.legal_actions()) + 1 if self.shown else self.legal_actions()[0]


class Doubtful(HighCardState):
    def encode(self, action):
        return action > 3


class Fractions(HighCardState):
    def returns(self):
        return [total / 10 for total in self.totals]


class Backwards(HighCardState):
    def position(self):
        return Position(1 + len(self.all_hands) - super().position().deal, None)


BREACHES = {
    Mutable: "a clone plays on without the original",
    Careless: "must raise ValueError",
    Deaf: "`answer` plays the action that was sent",
    Forgetful: "each event is given once",
    Tuples: "changes when it is written as JSON",
    Stranger: "`fallback` is legal",
    Doubtful: "wire form",
    Fractions: "whole tenths",
    Backwards: "never goes back",
}


@pytest.mark.parametrize("state", BREACHES, ids=lambda state: state.__name__)
def test_a_breach_is_caught_and_named(state):
    game = HighCard()
    game.state = state
    with pytest.raises(AssertionError, match=BREACHES[state]):
        check_game(game)


class Guessing(HighCard):
    def variant(self, name, parameters=None):
        return super().variant("short", parameters) | {"name": name}


class Chancy(HighCard):
    def new_match(self, seed, variant):
        return super().new_match(random.random(), variant)


class Believing(HighCard):
    def replay(self, record):
        return Replayed()


@pytest.mark.parametrize(
    ("game", "promise"),
    [
        (Guessing, "must raise ConfigError, not guess"),
        (Chancy, "the same seed and choices give the same match"),
        (Believing, "a wrong record must give an error"),
    ],
)
def test_a_breach_of_the_game_is_caught_and_named(game, promise):
    with pytest.raises(AssertionError, match=promise):
        check_game(game())
