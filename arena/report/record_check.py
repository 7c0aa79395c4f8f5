"""What a board takes from one record, checked: the record may come from any program.

A board needs `seats[].bot` and `scores`; `ranks`, `faults` and `set` are optional. What else a full
record holds (the account of the deals, times) is used where it is there, and must then be sound.
Whatever is wrong is an `UnfitError` that says what, and how to mend it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from arena.games.callbreak.game import Callbreak
from arena.records import BotId, Points, play_of, points_from_tenths, tenths_from_points
from arena.words import counted

NAME_LIMIT_CHARS = 1000
SEATS_LIMIT = 16
SCORE_LIMIT = 10**14
"""Beyond this, neighbouring numbers with one decimal can no longer be told apart."""

_ROUNDING = 1e-9
"""What a program may have lost of a score by adding points up, as a share of it."""

_EXCERPT_CHARS = 40
_NUMBERS = (int, float)
_NUMBER_TYPES = frozenset(_NUMBERS)
_CALL_LIMIT = 1000


class UnfitError(Exception):
    """One record cannot be used."""

    def __init__(self, what: str, mend: str) -> None:
        super().__init__(what, mend)
        self.what = what
        self.mend = mend


class CheckedFault(NamedTuple):
    """A fault as far as a board needs it. `deal` is None before the first deal."""

    seat: int
    deal: int | None
    retired: bool


class CheckedDeal(NamedTuple):
    """One deal of the record's account; lists by seat."""

    dealer: int
    calls: Sequence[int]
    points: Sequence[Points]


@dataclass(slots=True)
class Account:
    """The deals of a record: dealers by deal; calls and points by deal and seat, in one row."""

    dealers: list[int]
    calls: list[int]
    points: list[Points]

    def __len__(self) -> int:
        return len(self.dealers)

    def __iter__(self) -> Iterator[CheckedDeal]:
        seats = len(self.calls) // max(1, len(self.dealers))
        for number, dealer in enumerate(self.dealers):
            row = slice(number * seats, (number + 1) * seats)
            yield CheckedDeal(dealer, self.calls[row], self.points[row])


_NO_DEALS = Account([], [], [])


class CheckedRecord(NamedTuple):
    """One sound record; lists by seat. `deals` is 0 where the record does not say.

    `bots` are the numbers of the bots in `seats`. `timing` is decisions and total thinking time in
    microseconds. `play` tells apart what was played in a game without chance; empty in others.
    """

    seats: tuple[BotId, ...]
    bots: tuple[int, ...]
    scores: tuple[Points, ...]
    retired: tuple[bool, ...]
    set: str
    deals: int
    faults: tuple[CheckedFault, ...]
    account: Account
    timing: tuple[tuple[int, int], ...]
    play: str = ""


class BotNumbers:
    """The bots met so far, numbered as they came. A seat seen before costs two look-ups."""

    def __init__(self) -> None:
        self.ids: dict[BotId, int] = {}
        self._seen: dict[tuple[object, object, object], tuple[BotId, int]] = {}

    def find(self, seat: Any) -> tuple[BotId, int]:
        """The bot in a seat of a record, and its number; raises UnfitError."""
        try:
            key = (seat["bot"], seat.get("version"), seat.get("digest"))
            if (found := self._seen.get(key)) is not None:
                return found
        except (KeyError, TypeError, AttributeError):
            pass  # no sound seat: the check says what is wrong with it
        bot = _seat(seat)
        self._seen[key] = found = bot, self.number_of(bot)
        return found

    def number_of(self, bot: BotId) -> int:
        """The number of a bot, which is a new one if it was never met."""
        return self.ids.setdefault(bot, len(self.ids))

    def forget_since(self, bots: int) -> None:
        """Forgets all but the first so many bots: the record that brought the others is unfit."""
        if len(self.ids) > bots:
            self.ids = {bot: number for bot, number in self.ids.items() if number < bots}
            self._seen = {key: found for key, found in self._seen.items() if found[1] < bots}


def check_record(record: Mapping[str, Any], numbers: BotNumbers | None = None) -> CheckedRecord:
    """The record as a board uses it, bots numbered by `numbers`; raises UnfitError."""
    if (version := record.get("record", 1)) != 1:
        raise UnfitError(f"record format {excerpt(version)} instead of 1", "update the arena")
    find = (numbers or BotNumbers()).find
    found = [find(seat) for seat in _listed(record, "seats", 2, SEATS_LIMIT)]
    count = len(found)
    scores = tuple([_score(score) for score in _listed(record, "scores", count, count)])
    faults = _faults(record, count)
    retired = _retired(faults, count)
    _check_ranks(record, scores, retired)
    account = _account(record, count)
    return CheckedRecord(
        seats=tuple([bot for bot, _ in found]),
        bots=tuple([number for _, number in found]),
        scores=scores,
        retired=retired,
        set=_set(record),
        deals=_deals_played(record) or _deals_planned(record),
        faults=faults,
        account=account,
        timing=_timing(record, count),
        play=play_of(record),
    )


def _listed(record: Mapping[str, Any], key: str, least: int, most: int) -> list[Any]:
    """The list under a key, with as many entries as there are seats."""
    if key not in record:
        raise UnfitError(f"{key} is missing", f"add {key}, one entry a seat")
    value = record[key]
    if type(value) is not list:
        raise UnfitError(f"{key} is {excerpt(value)}, not a list", "give one entry a seat")
    if not least <= len(value) <= most:
        need = least if least == most else f"{least} to {most}"
        raise UnfitError(
            f"{key} has {counted(len(value), 'entry', 'entries')}, not {need}",
            "give one entry a seat",
        )
    return value


def _seat(seat: object) -> BotId:
    if not isinstance(seat, dict) or not isinstance(name := seat.get("bot"), str):
        raise UnfitError(f"the seat {excerpt(seat)} names no bot", 'write {"bot": "its-name"}')
    if not name or len(name) > NAME_LIMIT_CHARS:
        raise UnfitError(
            f"a bot's name has {len(name)} characters",
            f"give it 1 to {NAME_LIMIT_CHARS:,} characters",
        )
    return BotId(name, _text(seat, "version"), _text(seat, "digest"))


def _text(seat: Mapping[str, Any], key: str) -> str:
    value = seat.get(key)
    if value is None or isinstance(value, str):
        return value or ""
    raise UnfitError(f"{key} of a seat is {excerpt(value)}", "write it as a string")


def _score(score: object) -> Points:
    """The score as we write it: 4.199999999999999, a sum of another program's, is 4.2."""
    if type(score) is int and -SCORE_LIMIT <= score <= SCORE_LIMIT:
        return score
    if type(score) is not float or not -SCORE_LIMIT <= score <= SCORE_LIMIT:
        raise _unfit_score(score)
    tenths = tenths_from_points(score)
    written = points_from_tenths(tenths)
    if written != score and abs(written - score) > _ROUNDING * max(1.0, abs(score)):
        raise UnfitError(
            f"the score {score!r} is no whole number of tenths", "write points with one decimal"
        )
    return written


def _unfit_score(score: object) -> UnfitError:
    if type(score) in _NUMBERS:
        what, mend = "is too large", f"stay within ±{SCORE_LIMIT:,}"
    else:
        what, mend = "is no number", "write points as JSON numbers"
    return UnfitError(f"the score {excerpt(score)} {what}", mend)


def _seat_number(fault: Mapping[str, Any], seats: int) -> int:
    seat = fault.get("seat")
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < seats:
        raise UnfitError(f"a fault at the seat {excerpt(seat)}", f"seats are 0 to {seats - 1}")
    return seat


def _faults(record: Mapping[str, Any], seats: int) -> tuple[CheckedFault, ...]:
    faults = record.get("faults")
    if not faults and (faults is None or isinstance(faults, list)):
        return ()
    if not isinstance(faults, list):
        raise UnfitError(f"faults is {excerpt(faults)}, not a list", 'write [{"seat": 0, …}, …]')
    return tuple([_fault(fault, seats) for fault in faults])


def _fault(fault: object, seats: int) -> CheckedFault:
    if not isinstance(fault, dict):
        raise UnfitError(f"the fault {excerpt(fault)} is no object", 'write {"seat": 0, …}')
    retired = fault.get("retired", True)
    if not isinstance(retired, bool):
        raise UnfitError(f"retired is {excerpt(retired)} in a fault", "write true or false")
    deal = fault.get("deal")
    if deal is not None and (isinstance(deal, bool) or not isinstance(deal, int)):
        raise UnfitError(f"deal is {excerpt(deal)} in a fault", "write the deal's number or null")
    return CheckedFault(_seat_number(fault, seats), deal, retired)


def _retired(faults: Sequence[CheckedFault], seats: int) -> tuple[bool, ...]:
    if not faults:
        return _NOBODY[seats]
    out = {fault.seat for fault in faults if fault.retired}
    return tuple([seat in out for seat in range(seats)])


_NOBODY = tuple((False,) * seats for seats in range(SEATS_LIMIT + 1))


def _check_ranks(
    record: Mapping[str, Any], scores: Sequence[Points], retired: Sequence[bool]
) -> None:
    """Raises UnfitError where a rank puts one seat before another that did better, or beside it.

    Ranks need not be the contract's: ranks that skip no number or that break ties are fine, and
    retired seats may share theirs.
    """
    if record.get("ranks") is None:
        return
    ranks = _listed(record, "ranks", len(scores), len(scores))
    if set(map(type, ranks)) != {int}:
        raise UnfitError(f"ranks are {excerpt(ranks)}", "write whole numbers, 1 for the winner")
    best_first = sorted(scores, reverse=True)
    if True not in retired and ranks == [best_first.index(score) + 1 for score in scores]:
        return  # the contract's ranks, as nearly always
    results = [(not out, score) for out, score in zip(retired, scores, strict=True)]
    seats = sorted(range(len(ranks)), key=lambda seat: (ranks[seat], _negative(results[seat])))
    for better, worse in pairwise(seats):
        first, second = results[better], results[worse]
        before = ranks[better] < ranks[worse] and first < second
        beside = ranks[better] == ranks[worse] and first != second and first[0]
        if before or beside:
            raise UnfitError(
                f"ranks {excerpt(ranks)} contradict the scores {excerpt(list(scores))}"
                + (" and faults" if any(retired) else ""),
                "rank the highest total first, and let only equal totals share a rank; a seat with "
                'a fault is last, unless the fault says "retired": false',
            )


def _negative(result: tuple[bool, Points]) -> tuple[bool, Points]:
    return not result[0], -result[1]


def _set(record: Mapping[str, Any]) -> str:
    value = record.get("set")
    if isinstance(value, str) or value is None:
        return value or ""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise UnfitError(f"set is {excerpt(value)}", "name the deal set with a string")


def _deals_planned(record: Mapping[str, Any]) -> int:
    variant = record.get("variant")
    deals = variant.get("deals") if isinstance(variant, dict) else None
    return deals if type(deals) is int and deals > 0 else 0


def _deals_played(record: Mapping[str, Any]) -> int:
    deals = record.get("deals")
    return len(deals) if isinstance(deals, list) else 0


def _account(record: Mapping[str, Any], seats: int) -> Account:
    deals = record.get("deals")
    if not deals and (deals is None or isinstance(deals, list)):
        return _NO_DEALS
    if not isinstance(deals, list):
        raise UnfitError(f"deals is {excerpt(deals)}, not a list", "leave it out or list the deals")
    if record.get("game", Callbreak.name) != Callbreak.name:
        return _NO_DEALS  # another game's deals are its own affair: a board needs the scores alone
    account = _listed_deals(deals, seats)
    if not (
        set(map(type, account.dealers)) == {int}
        and 0 <= min(account.dealers) <= max(account.dealers) < seats
        and set(map(type, account.calls)) == {int}
        and 0 <= min(account.calls) <= max(account.calls) <= _CALL_LIMIT
        and set(map(type, account.points)) <= _NUMBER_TYPES
        and -SCORE_LIMIT <= min(account.points) <= max(account.points) <= SCORE_LIMIT
    ):
        raise _unfit_deals()
    return account


def _listed_deals(deals: list[Any], seats: int) -> Account:
    """The deals' dealers, calls and points in rows of the right length, of whatever type."""
    account = Account([], [], [])
    dealers, all_calls, all_points = account.dealers, account.calls, account.points
    try:
        for deal in deals:
            calls, points = deal["calls"], deal["points"]
            if not len(calls) == len(points) == seats:
                raise _unfit_deals()
            dealers.append(deal["dealer"])
            all_calls += calls
            all_points += points
    except (TypeError, KeyError) as error:
        raise _unfit_deals() from error
    return account


def _unfit_deals() -> UnfitError:
    return UnfitError(
        "a deal lacks a sound dealer, calls or points",
        "leave deals out, or give each a dealer, and calls and points by seat",
    )


def _timing(record: Mapping[str, Any], seats: int) -> tuple[tuple[int, int], ...]:
    timing = record.get("timing")
    if not timing:
        return ()
    if isinstance(timing, list) and len(timing) == seats:
        found = [_thinking(seat) for seat in timing]
        if None not in found:
            return tuple([each for each in found if each])
    raise UnfitError(
        f"timing {excerpt(timing)} is not decisions and total_ms by seat", "leave timing out"
    )


def _thinking(seat: object) -> tuple[int, int] | None:
    if not isinstance(seat, dict):
        return None
    decisions, total_ms = seat.get("decisions"), seat.get("total_ms")
    if type(decisions) is not int or not isinstance(total_ms, int | float):
        return None
    if not (0 <= decisions <= SCORE_LIMIT and 0 <= total_ms <= SCORE_LIMIT):
        return None
    return decisions, round(total_ms * 1000)


def excerpt(value: object) -> str:
    """A value as Python writes it, short enough for a message and free of control characters."""
    text = ascii(value)
    return text if len(text) <= _EXCERPT_CHARS else text[: _EXCERPT_CHARS - 1] + "…"
