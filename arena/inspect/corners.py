"""The corners of Callbreak that an inspection should reach, told from a request as it is sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from arena.games.callbreak.cards import NUMBERS, RANKS_PER_SUIT, SPADES, suit_of
from arena.games.callbreak.trick import best_card

Variant = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class View:
    """A request as the corners look at it: cards as numbers, the trick so far in playing order."""

    kind: str
    hand: tuple[int, ...]
    legal: tuple[int, ...]
    trick: tuple[int, ...] = ()
    finished: int = 0
    called: int = 0

    @property
    def is_void(self) -> bool:
        """True if a suit is led that the hand does not hold."""
        return bool(self.trick) and all(suit_of(card) != self.led for card in self.hand)

    @property
    def led(self) -> int:
        """The led suit; -1 if nothing is led."""
        return suit_of(self.trick[0]) if self.trick else -1

    @property
    def is_ruffed(self) -> bool:
        """True if a spade lies in a trick to which another suit was led."""
        return self.led > SPADES and min(self.trick) < RANKS_PER_SUIT

    @property
    def spades(self) -> tuple[int, ...]:
        return tuple(card for card in self.hand if card < RANKS_PER_SUIT)

    @property
    def is_bound(self) -> bool:
        """True if not every card of the hand may be played."""
        return self.legal != self.hand


def view_of(request: Mapping[str, Any]) -> View:
    """The view of an `act` request."""
    state = request["state"]
    hand = tuple(NUMBERS[card] for card in state["hand"])
    if request["kind"] == "call":
        called = sum(call is not None for call in state["calls"])
        return View("call", hand, tuple(request["legal"]), called=called)
    return View(
        "play",
        hand,
        tuple(NUMBERS[card] for card in request["legal"]),
        tuple(NUMBERS[card] for card in state["trick"]["cards"]),
        len(state["tricks"]),
    )


def _always(variant: Variant) -> bool:
    return True


def _overruffs(variant: Variant) -> bool:
    return bool(variant["void_duty"] == "overruff")


def _ruffs(variant: Variant) -> bool:
    return bool(variant["void_duty"] != "free")


def _heads(variant: Variant) -> bool:
    return bool(variant["must_head"])


def _ducks(variant: Variant) -> bool:
    return not variant["must_head"]


def _is_overruff(view: View) -> bool:
    if not (view.is_void and view.is_ruffed):
        return False
    beaten = [card for card in view.spades if card > min(view.trick)]
    return bool(beaten) and view.is_bound and max(view.legal) < min(view.trick)


def _is_underruff(view: View) -> bool:
    return (
        view.is_void
        and view.is_ruffed
        and not view.is_bound
        and bool(view.spades)
        and min(view.spades) > min(view.trick)
    )


def _is_ruff(view: View) -> bool:
    return view.is_void and not view.is_ruffed and view.is_bound and view.legal == view.spades


def _is_discard(view: View) -> bool:
    return view.is_void and not view.spades and len(view.hand) > 1


def _follows_with_both(view: View) -> bool:
    """True if the hand holds a card that takes the trick of the led suit, and one that does not."""
    if not view.trick or view.is_void or view.is_ruffed:
        return False
    best = best_card(view.trick)
    following = [card for card in view.hand if suit_of(card) == view.led]
    return min(following) < best < max(following)


def _must_head(view: View) -> bool:
    return _follows_with_both(view) and max(view.legal) < best_card(view.trick)


def _may_duck(view: View) -> bool:
    return _follows_with_both(view) and max(view.legal) > best_card(view.trick)


@dataclass(frozen=True, slots=True)
class Corner:
    """One corner: its name, which play requests are it, and under which variants it exists."""

    name: str
    holds: Callable[[View], bool]
    exists: Callable[[Variant], bool] = _always


CALLS = ("call first", "call second", "call third", "call last")

PLAYS = (
    Corner("lead any card", lambda v: not v.trick and len(v.legal) == 13),
    Corner("one legal card", lambda v: len(v.legal) == 1 and len(v.hand) > 1),
    Corner("must head", _must_head, _heads),
    Corner("may play low", _may_duck, _ducks),
    Corner("forced ruff", _is_ruff, _ruffs),
    Corner("overruff", _is_overruff, _overruffs),
    Corner("under-ruff", _is_underruff, _overruffs),
    Corner("free discard", _is_discard),
    Corner("last card", lambda v: len(v.hand) == 1),
    Corner("longest history", lambda v: v.finished == 12 and len(v.trick) == 3),
)


def corner_names(variant: Variant) -> tuple[str, ...]:
    """The corners that exist under a variant."""
    return (*CALLS, *(corner.name for corner in PLAYS if corner.exists(variant)))


def corners_of(request: Mapping[str, Any], variant: Variant) -> Iterator[str]:
    """The corners that a request is."""
    view = view_of(request)
    if view.kind == "call":
        yield CALLS[view.called]
        return
    for corner in PLAYS:
        if corner.exists(variant) and corner.holds(view):
            yield corner.name
