"""Any sensible call, then any legal card."""

import callbreak

SENSIBLE_CALLS = (2, 3, 4)


def call(turn):
    sensible = [number for number in turn.legal if number in SENSIBLE_CALLS]
    return turn.random.choice(sensible or turn.legal)


def play(turn):
    return turn.random.choice(turn.legal)


callbreak.run(call, play, name="random", version="1.0")
