"""A record is played again and every fact in it compared; what differs is named with its place.

A record may come from anywhere, so nothing about its shape is taken for granted: each value is
read with the type that the contract gives it, and nothing is counted or dealt before its size is
known to be sane. If the record has a seed, dealers and hands must be those of the seed; if not
(a record of matches played elsewhere), hands are taken as given, but must be the 52 cards, and the
deal must pass to the right.

What differs is raised as `_DiffersError` where it is seen; `_at` adds the deal and the trick.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
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
from arena.records import ranks_of

GAME = "callbreak"
FORMAT = 1


def replay(record: object) -> Replayed:
    """Whether a record keeps the rules; if not, what differs and where. Never raises."""
    try:
        _replay(_object(record, "the record"))
    except _DiffersError as found:
        return Replayed(found.what, found.deal, found.trick)
    return Replayed()


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


def _replay(record: Mapping[str, Any]) -> None:
    _check_equal(record.get("record", FORMAT), FORMAT, "the record's format")
    _check_equal(_get(record, "game"), GAME, "game")
    rules = _rules_of(_object(_get(record, "variant"), "the variant"))
    deals = _list(_get(record, "deals"), "deals")
    _check_equal(len(deals), rules.deals, "the number of deals")
    given = [_dealt_as_given(deal, number) for number, deal in enumerate(deals, start=1)]
    _check_dealt(given, _get(record, "seed", None), rules)
    totals: Sequence[int] = (0,) * SEATS
    for number, (dealt, deal) in enumerate(zip(given, deals, strict=True), start=1):
        with _at(deal=number):
            totals = _replay_deal(Deal(dealt, rules), deal, number, totals)
    _check_equal(_get(record, "scores"), payloads.points(totals), "scores")
    ranks = ranks_of(tuple(totals), _retired(_get(record, "faults", [])))
    _check_equal(_get(record, "ranks"), list(ranks), "ranks")


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


def _replay_deal(deal: Deal, given: object, number: int, before: Sequence[int]) -> Sequence[int]:
    """The totals in tenths after a deal, all of whose facts were found right."""
    entry = _object(given, "the deal")
    calls = _list(_get(entry, "calls"), "calls", size=SEATS)
    for _ in range(SEATS):
        _replay_call(deal, calls[deal.turn])
    tricks = _list(_get(entry, "tricks"), "tricks", size=TRICKS)
    for place, trick in enumerate(tricks, start=1):
        with _at(trick=place):
            _replay_trick(deal, _object(trick, "the trick"))
    finished = deal.finished(number, before)
    _check_equal(_get(entry, "won"), list(finished.won), "won")
    _check_equal(_get(entry, "points"), payloads.points(finished.tenths), "points")
    _check_equal(_get(entry, "scores"), payloads.points(finished.score_tenths), "scores")
    return finished.score_tenths


def _replay_call(deal: Deal, call: object) -> None:
    legal = deal.legal()
    if type(call) is not int or call not in legal:
        allowed = f"{legal[0]} to {legal[-1]}"
        raise _DiffersError(f"seat {deal.turn} called {quoted(call)}, and calls are {allowed}")
    deal.apply(call)


def _replay_trick(deal: Deal, trick: Mapping[str, Any]) -> None:
    _check_equal(_get(trick, "leader"), deal.turn, "the leader")
    for name in _list(_get(trick, "cards"), "cards", size=SEATS):
        _replay_card(deal, name)
    _check_equal(_get(trick, "winner"), deal.tricks[-1].winner, "the winner")


def _replay_card(deal: Deal, name: object) -> None:
    try:
        card = parse_card(name)
    except ValueError as error:
        raise _DiffersError(f"seat {deal.turn} played what is {error}") from None
    legal = deal.legal()
    if card not in legal:
        why = "which is not legal" if card in deal.hands[deal.turn] else "which it does not hold"
        able = " ".join(names_of(legal))
        raise _DiffersError(f"seat {deal.turn} played {name}, {why} (legal: {able})")
    deal.apply(card)


def _retired(faults: object) -> tuple[bool, ...]:
    """By seat, whether a fault ended the bot's part: a retired bot ranks below the others."""
    out = [False] * SEATS
    for fault in _list(faults, "faults"):
        entry = _object(fault, "a fault")
        seat = _seat(_get(entry, "seat"), "the seat of a fault")
        out[seat] = out[seat] or entry.get("retired") is not False
    return tuple(out)


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
