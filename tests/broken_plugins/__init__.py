"""Games that make one mistake each: what they do, and what is said of it.

A broken game is the sound one of `sound_game.py` with a line behind it.
"""

from pathlib import Path

SOUND_GAME = (Path(__file__).parent / "sound_game.py").read_text()

RAISE = "exec('raise KeyError(\"oh\")')"

STATES = {
    "Naming.legal_actions = lambda self: []": "`legal_actions` is empty",
    f"Naming.legal_actions = lambda self: {RAISE}": "`legal_actions` raises KeyError: 'oh'",
    "Naming.legal_actions = lambda self: exit(3)": "`legal_actions` raises SystemExit: 3",
    "Naming.legal_json = lambda self: '[1,'": "`legal_json` is no JSON",
    "Naming.legal_json = lambda self: '[]'": "`legal_json` is not a list of actions: '[]'",
    "Naming.encode = lambda self, action: {action}": "`legal_json` raises TypeError",
    "Naming.encode = lambda self, action: action / 2": "`legal_json` lists 0.5",
    "Naming.decode = lambda self, sent: None": "`decode` takes 1 for illegal",
    "Naming.kind = lambda self: None": "`kind` gives None, not a plain word",
    "Naming.observation = lambda self, seat: {'x': {seat}}": "`observation_json` raises TypeError",
    "Naming.observation_json = lambda self, seat: '{\"x\":NaN}'": "`observation_json` is no JSON",
    "Naming.current_player = lambda self: 7": "`current_player` gives 7 at a table of 2 seats",
    "Naming.current_player = lambda self: None": "`current_player` gives None",
    "Naming.returns = lambda self: None": "`returns` raises TypeError",
    "Naming.returns = lambda self: [10]": "`returns` gives 1 totals at a table of 2 seats",
    "Naming.returns = lambda self: [float('nan'), 10]": "`returns` gives nan",
    "Naming.events = lambda self: None": "`events` gives NoneType, not a list",
    "Naming.events = lambda self: ['x']": "`events` gives a list with str, not dict",
    "Naming.record = lambda self: [{'x': {1}}]": "`record` gives what JSON has no form for",
    "Naming.position = lambda self: None": "`position` gives NoneType, not a Position",
    "Naming.fallback = lambda self: 9": "`fallback` gives 9, which is not legal",
    "def apply(self, action): raise KeyError(1)\nNaming.apply = apply": "`apply` raises KeyError",
    f"NamingGame.new_match = lambda self, seed, variant: {RAISE}": "`new_match` raises KeyError",
    "NamingGame.new_match = lambda self, seed, variant: None": "`new_match` gives a state",
    "NamingGame.deals_of = lambda self, variant: float('nan')": "`deals_of` gives nan",
}
"""What breaks a match: the line behind the sound game, and what is said of the game."""

LATE = {
    "Naming.legal_actions = lambda self: [] if self.named else [1]": "`legal_actions` is empty",
    "def apply(self, action): self.named[3]\nNaming.apply = apply": "`apply` raises IndexError",
    "Naming.returns = lambda self: [1] * (2 - self.is_terminal())": "`returns` gives 1 totals",
    "Naming.record = lambda self: [{'x': {1}} for _ in self.named]": "`record` gives what JSON has",
}
"""Mistakes that do not show before the match has begun."""

COMMANDS = {
    "NamingGame.variants = lambda self: None": (
        ("variants", "--game", "naming"),
        "game 'naming' of plugin 'odd' of stranger 1.5: `variants` gives None",
    ),
    "NamingGame.variants = lambda self: {}": (
        ("rules", "--game", "naming"),
        "`variants` gives no variant",
    ),
    "NamingGame.rules_text = lambda self, variant: None": (
        ("rules", "--game", "naming"),
        "`rules_text` gives None, not text",
    ),
    "NamingGame.variant = lambda self, name, parameters=None: {}": (
        ("rules", "--game", "naming"),
        "`variant` gives a variant without its `name`",
    ),
    "NamingGame.seats = 1": (
        ("rules", "--game", "naming"),
        "arena_games gives a game (NamingGame) whose `seats` gives 1, not a number from 2 to 16",
    ),
    "NamingGame.version = None": (
        ("rules", "--game", "naming"),
        "arena_games gives a game (NamingGame) whose `version` gives None, not text",
    ),
    f"NamingGame.replay = lambda self, record: {RAISE}": (
        ("verify", "RECORDS"),
        "game 'naming' of plugin 'odd' of stranger 1.5: `replay` raises KeyError: 'oh'",
    ),
    "NamingGame.replay = lambda self, record: True": (
        ("verify", "RECORDS"),
        "`replay` gives True, not Replayed",
    ),
}
"""What breaks a command: the line behind the sound game, the command, and what is said."""
