"""From a match seed to cards: the same deals in any language.

The algorithm, normative and complete. The seed is a string; the key is its UTF-8 bytes. Labels are
ASCII; numbers in them are decimal without leading zeros.

1. *Stream.* The stream of a label is the concatenation of the 32-byte blocks
   HMAC-SHA-256(key, label + " block " + i) for i = 0, 1, 2 …, read byte by byte.
2. *Draw.* A number below n (n at most 256) is drawn so: read a byte b; if b is not below the
   largest multiple of n that is at most 256, read the next one (rejection: no number is
   likelier than another); else the number is b mod n.
3. *Deck.* The deck starts in the order AS KS … 2S AH … 2H AD … 2D AC … 2C, positions 0 to 51.
   With the stream labelled "callbreak/1 deal D attempt A" (D the deal's number from 1, A = 0): for
   i = 51 down to 1, draw j below i + 1 and swap positions i and j.
4. *First dealer.* A number below 4, drawn from the stream labelled "callbreak/1 dealer". The dealer
   of deal D is (first dealer + D - 1) mod 4.
5. *Hands.* The card at position k goes to seat (dealer + 1 + k) mod 4: one at a time, beginning at
   the dealer's right, 13 each.
6. *Redeal.* If the variant's `redeal` is `no-spade` and some hand holds no spade, or `no-face-card`
   and some hand holds no king, queen or jack, steps 3 and 5 are done again with A = 1, 2 … until
   no hand is so. The dealer stays, and so does the deal's number.

`protocol/vectors/shuffle.json` holds test vectors, and `shuffle.mjs` beside it the same algorithm
in JavaScript.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from itertools import count
from typing import Final

from arena.errors import ConfigError
from arena.games.callbreak.cards import DECK, RANKS, RANKS_PER_SUIT, Card, Hand
from arena.games.callbreak.trick import SEATS
from arena.games.callbreak.variants import Redeal, Variant

_BYTE_VALUES: Final = 256
_FACES: Final = tuple(RANKS.index(rank) for rank in "KQJ")


@dataclass(frozen=True, slots=True)
class Dealt:
    """The cards of one deal before the calls: who dealt, and four hands by seat."""

    dealer: int
    hands: tuple[Hand, ...]


def deals_from(seed: str, rules: Variant) -> tuple[Dealt, ...]:
    """All deals of a match, the first one first. Raises ConfigError if the seed is no Unicode."""
    first = first_dealer(seed)
    return tuple(
        _deal(seed, number, (first + number - 1) % SEATS, rules.redeal)
        for number in range(1, rules.deals + 1)
    )


def first_dealer(seed: str) -> int:
    """The seat that deals first."""
    return _Stream(seed, "callbreak/1 dealer").draw(SEATS)


def shuffled(seed: str, deal: int, attempt: int = 0) -> list[Card]:
    """The deck of a deal (from 1) as it lies before dealing, the first card dealt first."""
    stream = _Stream(seed, f"callbreak/1 deal {deal} attempt {attempt}")
    deck = list(DECK)
    for last in range(len(deck) - 1, 0, -1):
        other = stream.draw(last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def must_redeal(hands: tuple[Hand, ...], rule: Redeal) -> bool:
    """Whether a rule throws these hands in."""
    if rule is Redeal.NO_SPADE:
        return any(hand[0] >= RANKS_PER_SUIT for hand in hands)
    if rule is Redeal.NO_FACE_CARD:
        return not all(any(card % RANKS_PER_SUIT in _FACES for card in hand) for hand in hands)
    return False


def _deal(seed: str, number: int, dealer: int, rule: Redeal) -> Dealt:
    for attempt in count():
        deck = shuffled(seed, number, attempt)
        from_right = [tuple(sorted(deck[start::SEATS])) for start in range(SEATS)]
        hands = tuple(from_right[(seat - dealer - 1) % SEATS] for seat in range(SEATS))
        if not must_redeal(hands, rule):
            return Dealt(dealer, hands)
    raise AssertionError("count() does not end")


class _Stream:
    """The stream of a label, which numbers are drawn from."""

    __slots__ = ("_blocks", "_bytes", "_key", "_label", "_place")

    def __init__(self, seed: str, label: str) -> None:
        try:
            self._key = seed.encode()
        except UnicodeEncodeError:
            raise ConfigError("the seed is not valid Unicode", mend="give another seed") from None
        self._label = label
        self._blocks = 0
        self._bytes = b""
        self._place = 0

    def draw(self, below: int) -> int:
        """A number below `below`, which is at most 256."""
        limit = _BYTE_VALUES - _BYTE_VALUES % below
        while True:
            if self._place == len(self._bytes):
                self._read_block()
            byte = self._bytes[self._place]
            self._place += 1
            if byte < limit:
                return byte % below

    def _read_block(self) -> None:
        label = f"{self._label} block {self._blocks}"
        self._bytes = hmac.digest(self._key, label.encode(), "sha256")
        self._blocks += 1
        self._place = 0
