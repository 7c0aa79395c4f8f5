"""A record is played again and every fact in it compared; what differs is named with its place.

A record may come from anywhere, so nothing about its shape is taken for granted: each value is
read with the type that the contract gives it, and nothing is counted or dealt before its size is
known to be sane. If the record has a seed, dealers and hands must be those of the seed; if not
(a record of matches played elsewhere), hands are taken as given, but must be the 52 cards, and the
deal must pass to the right.

Faults are part of the game: from the one that retired a bot on, the fallback plays its seat, so
every action of the seat there must be the fallback's.

What differs is raised as `_DiffersError` where it is seen; `_at` adds the deal and the trick.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from arena.errors import ConfigError
from arena.games.api import Replayed
from arena.games.callbreak import payloads
from arena.games.callbreak.cards import DECK, NAMES, names_of, parse_card, parse_hand
from arena.games.callbreak.deal import TRICKS, Deal
from arena.games.callbreak.quoting import quoted
from arena.games.callbreak.shuffle import Dealt, deals_from, must_redeal
from arena.games.callbreak.trick import SEATS
from arena.games.callbreak.variants import Variant, build_variant
from arena.records import FaultKind, ranks_of

GAME = "callbreak"
FORMAT = 1


def replay(record: object) -> Replayed:
    """Whether a record keeps the rules; if not, what differs and where. Never raises."""
    try:
        asked = _replay(_object(record, "the record"))
    except _DiffersError as found:
        return Replayed(found.what, found.deal, found.trick)
    return Replayed(asked=asked)


class _DiffersError(Exception):
    """Says what differs, and in which deal and trick (from 1) once that is known."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what
        self.deal: int | None = None
        self.trick: int | None = None


@contextmanager
def _at(*, deal: int | None = None, trick: int | None = None) -> Iterator[None]:
    """Whatever differs inside is placed in this deal or trick."""
    try:
        yield
    except _DiffersError as found:
        found.deal = found.deal or deal
        found.trick = found.trick or trick
        raise


def _replay(record: Mapping[str, Any]) -> tuple[int, ...]:
    """How many decisions each seat's bot faced."""
    _check_equal(record.get("record", FORMAT), FORMAT, "the record's format")
    _check_equal(_get(record, "game"), GAME, "game")
    rules = _rules_of(_object(_get(record, "variant"), "the variant"))
    deals = _list(_get(record, "deals"), "deals")
    _check_equal(len(deals), rules.deals, "the number of deals")
    given = [_dealt_as_given(deal, number) for number, deal in enumerate(deals, start=1)]
    _check_dealt(given, _get(record, "seed", None), rules)
    retired = _retirements(_get(record, "faults", []), len(deals), record)
    totals: Sequence[int] = (0,) * SEATS
    for number, (dealt, deal) in enumerate(zip(given, deals, strict=True), start=1):
        with _at(deal=number):
            table = _Table(Deal(dealt, rules), number, retired)
            totals = _replay_deal(table, deal, totals)
    _check_equal(_get(record, "scores"), payloads.points(totals), "scores")
    ranks = ranks_of(tuple(totals), tuple(place is not None for place in retired))
    _check_equal(_get(record, "ranks"), list(ranks), "ranks")
    return tuple(_decisions_before(place, len(deals)) for place in retired)


def _rules_of(given: Mapping[str, Any]) -> Variant:
    """The variant of a record, which must say every parameter of the rules."""
    name = _get(given, "name")
    if not isinstance(name, str):
        raise _DiffersError(f"the variant's name is {quoted(name)}, not a string")
    try:
        rules = build_variant(name, given)
    except ConfigError as error:
        raise _DiffersError(str(error)) from None
    for parameter in rules.as_dict():
        if parameter != "version":  # which matches written elsewhere need not say
            _get(given, parameter)
    return rules


# The cards --------------------------------------------------------------------------------------


def _dealt_as_given(deal: object, number: int) -> Dealt:
    """The cards of a deal as the record has them: 52 different ones, 13 each."""
    with _at(deal=number):
        entry = _object(deal, "the deal")
        _check_equal(_get(entry, "deal"), number, "the deal's number")
        dealer = _seat(_get(entry, "dealer"), "the dealer")
        hands = _list(_get(entry, "hands"), "hands", size=SEATS)
        cards = [_list(hand, "a hand", size=TRICKS) for hand in hands]
        try:
            dealt = Dealt(dealer, tuple(parse_hand(hand) for hand in cards))
        except ValueError as error:
            raise _DiffersError(f"the hands hold what is {error}") from None
        _check_deck(dealt)
        return dealt


def _check_deck(dealt: Dealt) -> None:
    everything = [card for hand in dealt.hands for card in hand]
    if missing := set(DECK).difference(everything):
        raise _DiffersError(f"{NAMES[min(missing)]} was not dealt, and another card twice")


def _check_dealt(given: Sequence[Dealt], seed: object, rules: Variant) -> None:
    """Dealers and hands are those of the seed, or without a seed possible ones."""
    if seed is None or seed == "":
        _check_possible(given, rules)
    elif isinstance(seed, str):
        _check_seeded(given, seed, rules)
    else:
        raise _DiffersError(f"the seed is {quoted(seed)}, not a string")


def _check_possible(given: Sequence[Dealt], rules: Variant) -> None:
    for number, dealt in enumerate(given, start=1):
        with _at(deal=number):
            dealer = (given[0].dealer + number - 1) % SEATS
            _check_equal(dealt.dealer, dealer, "the dealer, as the deal passes to the right,")
            if must_redeal(dealt.hands, rules.redeal):
                raise _DiffersError(f"these hands had to be dealt again (redeal {rules.redeal})")


def _check_seeded(given: Sequence[Dealt], seed: str, rules: Variant) -> None:
    try:
        drawn = deals_from(seed, rules)
    except ConfigError as error:
        raise _DiffersError(str(error)) from None
    for number, (found, wanted) in enumerate(zip(given, drawn, strict=True), start=1):
        with _at(deal=number):
            _check_equal(found.dealer, wanted.dealer, "the dealer by the seed")
            for seat, (hand, by_seed) in enumerate(zip(found.hands, wanted.hands, strict=True)):
                if hand != by_seed:
                    cards = " ".join(names_of(by_seed))
                    raise _DiffersError(f"the hand of seat {seat} by the seed is {cards}")


# The play ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Table:
    """A deal under way, its number, and by seat the place at which a fault retired the bot."""

    deal: Deal
    number: int
    retired: Sequence[_Place | None]

    def apply(self, action: int) -> None:
        """Plays a legal action; one of a retired bot's seat must be the fallback's."""
        deal = self.deal
        place = self.retired[deal.turn]
        if place is not None and self._is_past(place) and action != (wanted := deal.fallback()):
            name = wanted if deal.is_calling else NAMES[wanted]
            raise _DiffersError(
                f"a fault retired seat {deal.turn}, and this is not the fallback's action ({name})"
            )
        deal.apply(action)

    def _is_past(self, place: _Place) -> bool:
        trick = 0 if self.deal.is_calling else len(self.deal.tricks) + 1
        return (self.number, trick) >= place


def _replay_deal(table: _Table, given: object, before: Sequence[int]) -> Sequence[int]:
    """The totals in tenths after a deal, all of whose facts were found right."""
    deal = table.deal
    entry = _object(given, "the deal")
    calls = _list(_get(entry, "calls"), "calls", size=SEATS)
    for _ in range(SEATS):
        _replay_call(table, calls[deal.turn])
    tricks = _list(_get(entry, "tricks"), "tricks", size=TRICKS)
    for place, trick in enumerate(tricks, start=1):
        with _at(trick=place):
            _replay_trick(table, _object(trick, "the trick"))
    finished = deal.finished(table.number, before)
    _check_equal(_get(entry, "won"), list(finished.won), "won")
    _check_equal(_get(entry, "points"), payloads.points(finished.tenths), "points")
    _check_equal(_get(entry, "scores"), payloads.points(finished.score_tenths), "scores")
    return finished.score_tenths


def _replay_call(table: _Table, call: object) -> None:
    legal = table.deal.legal()
    if type(call) is not int or call not in legal:
        allowed = f"{legal[0]} to {legal[-1]}"
        raise _DiffersError(
            f"seat {table.deal.turn} called {quoted(call)}, and calls are {allowed}"
        )
    table.apply(call)


def _replay_trick(table: _Table, trick: Mapping[str, Any]) -> None:
    _check_equal(_get(trick, "leader"), table.deal.turn, "the leader")
    for name in _list(_get(trick, "cards"), "cards", size=SEATS):
        _replay_card(table, name)
    _check_equal(_get(trick, "winner"), table.deal.tricks[-1].winner, "the winner")


def _replay_card(table: _Table, name: object) -> None:
    deal = table.deal
    try:
        card = parse_card(name)
    except ValueError as error:
        raise _DiffersError(f"seat {deal.turn} played what is {error}") from None
    legal = deal.legal()
    if card not in legal:
        why = "which is not legal" if card in deal.hands[deal.turn] else "which it does not hold"
        able = " ".join(names_of(legal))
        raise _DiffersError(f"seat {deal.turn} played {name}, {why} (legal: {able})")
    table.apply(card)


# Faults -----------------------------------------------------------------------------------------

_Place = tuple[int, int]
"""A deal (from 1; 0 before the first) and a trick (from 1; 0 for the call)."""


def _retirements(faults: object, deals: int, record: Mapping[str, Any]) -> list[_Place | None]:
    """By seat, the place at which a fault retired the bot: it ranks below the others."""
    out: list[_Place | None] = [None] * SEATS
    for fault in _list(faults, "faults"):
        entry = _object(fault, "a fault")
        seat = _seat(_get(entry, "seat"), "the seat of a fault")
        place = _place(entry, deals, has_more=bool(record.get("cut_off")))
        if entry.get("kind") == FaultKind.IDLE_CPU and place > (0, 0):
            # It is charged in another's turn, when its own of this place may have been played.
            place = place[0], place[1] + 1
        if entry.get("retired") is not False:
            out[seat] = min(place, out[seat] or place)
    return out


def _place(fault: Mapping[str, Any], deals: int, *, has_more: bool) -> _Place:
    """Where a fault happened. Only a game log that was cut off `has_more` deals than it tells."""
    if "deal" not in fault:  # a program that does not tell: nothing can be compared
        return deals + 1, 0
    deal, trick = fault["deal"], fault.get("trick")
    if deal is None:
        return 0, 0
    if type(deal) is not int or not deal >= 1 or (deal > deals and not has_more):
        raise _DiffersError(f"a fault in deal {quoted(deal)}, and there are {deals}")
    if trick is None:
        return deal, 0
    if type(trick) is not int or not 1 <= trick <= TRICKS:
        raise _DiffersError(f"a fault in trick {quoted(trick)}, and there are {TRICKS}")
    return deal, trick


def _decisions_before(place: _Place | None, deals: int) -> int:
    a_deal = TRICKS + 1
    if place is None:
        return a_deal * deals
    deal, trick = place
    return min(a_deal * deals, a_deal * (deal - 1) + trick) if deal else 0


# Reading ----------------------------------------------------------------------------------------

_REQUIRED = object()


def _object(value: object, what: str) -> Mapping[str, Any]:
    if isinstance(value, Mapping):
        return value
    raise _DiffersError(f"{what} is {quoted(value)}, not an object")


def _get(entry: Mapping[str, Any], key: str, default: object = _REQUIRED) -> Any:
    value = entry.get(key, default)
    if value is _REQUIRED:
        raise _DiffersError(f"`{key}` is missing")
    return value


def _list(value: object, what: str, *, size: int | None = None) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise _DiffersError(f"{what}: {quoted(value)} is not a list")
    if size is not None and len(value) != size:
        raise _DiffersError(f"{what}: {len(value)} entries, not {size}")
    return value


def _seat(value: object, what: str) -> int:
    if type(value) is int and 0 <= value < SEATS:
        return value
    raise _DiffersError(f"{what} is {quoted(value)}, not a seat")


def _check_equal(found: object, wanted: object, what: str) -> None:
    if not _is_same(found, wanted):
        raise _DiffersError(f"{what} should be {wanted}, recorded is {quoted(found)}")


def _is_same(found: object, wanted: object) -> bool:
    """Equal as JSON: true is not 1, and a whole number of points is no fraction."""
    if isinstance(wanted, list):
        return (
            isinstance(found, list | tuple)
            and len(found) == len(wanted)
            and all(map(_is_same, found, wanted))
        )
    return type(found) is type(wanted) and found == wanted
