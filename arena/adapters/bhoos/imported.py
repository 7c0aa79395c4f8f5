"""From a game log of the 2022 tournament to a record of ours.

A record holds the deals that were played to their end, exactly as the log tells them, so that the
rules can be asked whether they were kept; nothing is computed that the log says. The first deal
that was cut off ends the record: it stands under `cut_off`, with whatever followed it. An answer
that the server replaced is a fault that was forgiven, and is counted as a correction; one that
ended the game retires its bot.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from arena.adapters.bhoos.cards import our_card, our_name
from arena.adapters.bhoos.game_log import CALLS, SEATS, Action, GameLog, LoggedError, Round
from arena.errors import ConfigError
from arena.games.api import Game
from arena.games.callbreak.cards import names_of
from arena.records import (
    BotId,
    Fault,
    FaultKind,
    MatchRecord,
    Points,
    points_from_tenths,
    ranks_of,
    tenths_from_points,
)

VARIANT = "bhoos"
SOURCE = "game log of the 2022 tournament"


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a game. `record` is None if no deal was played to its end.

    `differs` says where the log does not keep the rules; then the record must not be used.
    """

    name: str
    record: MatchRecord | None
    corrections: int
    cut_off: int
    differs: str = ""


def import_game(name: str, log: GameLog, game: Game) -> Imported:
    """The game's record, played again by the rules of the variant `bhoos`.

    Raises ConfigError if a card of the log is none.
    """
    whole = list(takewhile(Round.is_whole, log.rounds))
    try:
        faults = tuple(_faults(log.rounds, whole=len(whole)))
        cut_off = [_cut_off(i + 1, log.rounds[i]) for i in range(len(whole), len(log.rounds))]
        record = _record(name, log, whole, faults, cut_off, game) if whole else None
    except ValueError as error:
        raise ConfigError(str(error), where=name) from None
    corrections = sum(not fault.retired for fault in faults)
    return Imported(name, record, corrections, len(cut_off), _differs(record, game))


def _differs(record: MatchRecord | None, game: Game) -> str:
    if record is None:
        return ""
    found = game.replay(record.as_dict())
    places = [
        f"deal {found.deal}" if found.deal else "",
        f"trick {found.trick}" if found.trick else "",
    ]
    return ", ".join([*filter(None, places), found.error]) if found.error else ""


def _record(
    name: str,
    log: GameLog,
    whole: Sequence[Round],
    faults: tuple[Fault, ...],
    cut_off: Sequence[dict[str, Any]],
    game: Game,
) -> MatchRecord:
    deals = list(_deals(whole))
    totals = tuple(tenths_from_points(points) for points in deals[-1]["scores"])
    retired = {fault.seat for fault in faults if fault.retired}
    hands = json.dumps([deal["hands"] for deal in deals]).encode()
    return MatchRecord(
        match=name,
        set=f"log.{hashlib.sha256(hands).hexdigest()[:12]}",
        game=game.name,
        variant=game.variant(VARIANT, {"deals": len(deals)}),
        seed="",
        started="",
        seats=tuple(BotId(player, "", "") for player in log.players),
        deals=tuple(deals),
        scores=tuple(points_from_tenths(total) for total in totals),
        ranks=ranks_of(totals, tuple(seat in retired for seat in range(SEATS))),
        faults=faults,
        extra={"source": SOURCE, **({"cut_off": list(cut_off)} if cut_off else {})},
    )


def _deals(whole: Sequence[Round]) -> Iterator[dict[str, Any]]:
    before = [0] * SEATS
    for number, each in enumerate(whole, start=1):
        totals = [_tenths(points) for points in each.scores]
        yield {
            "deal": number,
            "dealer": each.dealer,
            "hands": _hands(each),
            "calls": list(each.bids),
            "tricks": [_trick(action) for action in each.actions],
            "won": [sum(a.ended == seat for a in each.actions) for seat in range(SEATS)],
            "points": [points_from_tenths(t - b) for t, b in zip(totals, before, strict=True)],
            "scores": [points_from_tenths(total) for total in totals],
        }
        before = totals


def _cut_off(number: int, each: Round) -> dict[str, Any]:
    """A deal that was not played to its end, or came after one; null where nothing happened."""
    return {
        "deal": number,
        "dealer": each.dealer,
        "hands": _hands(each),
        "calls": [call or None for call in each.bids],
        "tricks": [_trick(action) for action in each.actions],
        "scores": [_points(points) for points in each.scores],
    }


def _hands(each: Round) -> list[list[str]]:
    return [names_of(sorted(our_card(card) for card in hand)) for hand in each.cards]


def _trick(action: Action) -> dict[str, Any]:
    cards = [None if card is None else our_name(card) for card in action.cards]
    return {"leader": action.started, "cards": cards, "winner": action.ended}


def _points(points: float) -> Points:
    return points_from_tenths(_tenths(points))


def _tenths(points: float) -> int:
    tenths = tenths_from_points(points)
    if abs(points * 10 - tenths) > 1e-6:
        raise ValueError(f"the score {points} is no whole number of tenths")
    return tenths


# What the server did not accept -------------------------------------------------------------------


def _faults(rounds: Sequence[Round], *, whole: int) -> Iterator[Fault]:
    for number, each in enumerate(rounds, start=1):
        for place, errors in sorted(each.errors.items()):
            for error in errors:
                ended = error.correction is None and number > whole
                yield _fault(number, each, place, error, ended=ended)


def _fault(number: int, each: Round, place: int, error: LoggedError, *, ended: bool) -> Fault:
    is_call = place == CALLS
    seat = _caller(each, error) if is_call else _player(each, place, error)
    sent, played = "", ""
    if error.correction is not None:
        sent, played = _shown(error.correction.prev), _shown(error.correction.next)
    instead = f"; the server put {played} in its place" if played else ""
    return Fault(
        seat=seat,
        kind=_kind(error.type),
        detail=f"{error.type}{instead}",
        deal=number,
        trick=None if is_call else place + 1,
        arrived=sent,
        retired=ended,
    )


def _kind(word: str) -> FaultKind:
    if "TIMEOUT" in word:
        return FaultKind.TIMEOUT
    return FaultKind.ILLEGAL_ACTION if word.startswith("INVALID") else FaultKind.MALFORMED


def _caller(each: Round, error: LoggedError) -> int:
    """Who was asked for a call: there, `turn` is the player."""
    return each.dealer if error.turn is None else error.turn % SEATS


def _player(each: Round, place: int, error: LoggedError) -> int:
    """Who was asked for a card: `turn` is a place in the trick, and the card put there tells it."""
    action = each.actions[place] if 0 <= place < len(each.actions) else None
    if action is None:
        leader = each.actions[-1].ended if each.actions else None
        leader = (each.dealer + 1) % SEATS if leader is None else leader
        return (leader + (error.turn or 0)) % SEATS
    put = error.correction.next if error.correction else None
    if put in action.cards:
        turn = action.cards.index(put)
    else:
        turn = sum(card is not None for card in action.cards) if error.turn is None else error.turn
    return (action.started + turn) % SEATS


def _shown(answer: str | int | None) -> str:
    """An answer in our notation if it is a card, else as it is."""
    text = "" if answer is None else str(answer)[:100]
    try:
        return our_name(text)
    except ValueError:
        return text
