"""A sound game for two that every broken one is made from: each player names 1 or 2, once."""

from arena import hookimpl
from arena.errors import ConfigError
from arena.games.api import TERMINAL, Game, Position, Replayed, State


class Naming(State):
    def __init__(self):
        self.named = []
        self.told = [{"type": "welcome"}]

    def current_player(self):
        return TERMINAL if self.is_terminal() else len(self.named)

    def legal_actions(self):
        return [] if self.is_terminal() else [1, 2]

    def apply(self, action):
        if action not in self.legal_actions():
            raise ValueError(f"{action} is not legal")
        self.named.append(action)

    def clone(self):
        twin = type(self)()
        twin.named = [*self.named]
        return twin

    def is_terminal(self):
        return len(self.named) == 2

    def returns(self):
        return [10 * each for each in (*self.named, 0, 0)[:2]]

    def kind(self):
        return "name"

    def encode(self, action):
        return action

    def observation(self, seat):
        return {"named": self.named}

    def fallback(self):
        return 1

    def position(self):
        return Position(1, None)

    def events(self):
        told, self.told = self.told, []
        return told

    def record(self):
        return [{"named": self.named, "points": [each // 10 for each in self.returns()]}]


class NamingGame(Game):
    name = "naming"
    version = "1"
    seats = 2
    state = Naming

    def variants(self):
        return {"plain": {"name": "plain", "deals": 1}}

    def variant(self, name, parameters=None):
        if name != "plain":
            raise ConfigError(f"there is no variant {name!r}")
        return {"name": "plain", "deals": 1}

    def deals_of(self, variant):
        return 1

    def new_match(self, seed, variant):
        return self.state()

    def replay(self, record):
        return Replayed(asked=(1, 1))

    def rules_text(self, variant):
        return "Name 1 or 2."


@hookimpl
def arena_games():
    return [NamingGame()]
