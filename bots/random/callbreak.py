"""Everything a Callbreak bot needs to talk with the referee. Python 3.8 or newer, nothing else.

    import callbreak

    def call(turn):
        return 3

    def play(turn):
        return turn.legal[0]

    callbreak.run(call, play)

The referee sends one JSON object a line; a message with an `id` wants one reply line with that
`id`. Standard output belongs to the referee, so `print` is turned to standard error, the log.
"""

import json
import random
import sys

SUITS = "SHDC"
RANKS = "23456789TJQKA"
DECK = [rank + suit for suit in SUITS for rank in reversed(RANKS)]


def suit(card):
    """The suit of a card: `S`, `H`, `D` or `C`. Spades are trumps."""
    return card[1]


def rank(card):
    """The rank of a card as a number: 0 for a two, 12 for an ace."""
    return RANKS.index(card[0])


def beats(card, best):
    """True if `card` takes the trick from `best`, the best card before it."""
    if suit(card) == suit(best):
        return rank(card) > rank(best)
    return suit(card) == "S"


def best_of(cards):
    """The card that holds a trick of these cards, in playing order; None if there is none."""
    best = None
    for card in cards:
        if best is None or beats(card, best):
            best = card
    return best


class Turn:
    """One decision, with all that the bot may know.

    legal    what may be answered: calls (numbers) or cards such as "AS"
    hand     the cards held, S H D C and high to low
    calls    four numbers by seat; None where not yet called
    seat, dealer, deal, deals, scores
    won      tricks won in this deal, by seat
    leader   the seat that led to this trick
    trick    the cards of this trick so far, in playing order
    tricks   the finished tricks: [{"leader": 0, "cards": [four], "winner": 2}, ...]
    variant  the rules' parameters, from the hello message
    random   a random.Random that starts each match from the seed the referee gave
    note     set it to a short text, and the record of the match keeps it
    """

    def __init__(self, message, variant, chance):
        state = message["state"]
        self.legal = message["legal"]
        self.hand = state["hand"]
        self.calls = state["calls"]
        self.seat = state["seat"]
        self.dealer = state["dealer"]
        self.deal = state["deal"]
        self.deals = state["deals"]
        self.scores = state["scores"]
        self.won = state.get("won", [0, 0, 0, 0])
        trick = state.get("trick") or {"leader": self.seat, "cards": []}
        self.leader = trick["leader"]
        self.trick = trick["cards"]
        self.tricks = state.get("tricks", [])
        self.variant = variant
        self.random = chance
        self.note = None

    def wins(self, card):
        """True if `card`, played now, would hold the trick."""
        return not self.trick or beats(card, best_of(self.trick))

    def unseen(self):
        """The cards in the other three hands."""
        seen = set(self.hand).union(self.trick, *(trick["cards"] for trick in self.tricks))
        return [card for card in DECK if card not in seen]

    def wanted(self):
        """How many tricks the call still needs; 0 or less once it is reached."""
        return self.calls[self.seat] - self.won[self.seat]


def run(call, play, name=None, version=None):
    """Plays until the referee says quit; `call` and `play` take a Turn and return what to do."""
    replies, sys.stdout = sys.stdout, sys.stderr
    variant = {}
    chance = random.Random(0)

    def reply(**fields):
        fields = {key: value for key, value in fields.items() if value is not None}
        replies.write(json.dumps(fields) + "\n")
        replies.flush()

    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            variant = message["variant"]
            reply(id=message["id"], name=name, version=version)
        elif kind == "start":
            chance.seed(message["seed"])
        elif kind == "act":
            turn = Turn(message, variant, chance)
            action = call(turn) if message["kind"] == "call" else play(turn)
            reply(id=message["id"], action=action, note=turn.note)
        elif kind == "fault":
            print("fault:", message["kind"], message.get("detail", ""))
        elif kind == "quit":
            return
