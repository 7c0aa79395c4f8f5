"""A recorded match of Callbreak, step by step.

A moment is a decision before it is made, the end of a trick with its four cards on the table, or
the end of a deal; the web viewer has the same ones. What is legal at a moment comes from the
engine, which plays the deal up to there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from arena.errors import ConfigError
from arena.games.callbreak.cards import NAMES, names_of, parse_card, parse_hand
from arena.games.callbreak.deal import TRICKS, Deal
from arena.games.callbreak.replay import replay
from arena.games.callbreak.shuffle import Dealt
from arena.games.callbreak.trick import SEATS
from arena.games.callbreak.variants import Variant, build_variant
from arena.report.escape import visible
from arena.report.plain_text import place_words
from arena.report.remarks import refuse_unsound, remarks

CALL, PLAY, TRICK_OVER, DEAL_OVER = "call", "play", "trick-over", "deal-over"


@dataclass(frozen=True, slots=True)
class Moment:
    """Where in a match we are; all numbers from 1. `card` is the place in the trick (or of the
    call among the four), `seat` the one to act; None at the end of a trick or deal."""

    kind: str
    deal: int
    trick: int | None = None
    card: int | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Situation:
    """What lies open at a moment; lists of four by seat. `chosen` is what the record plays next.

    `table` holds seats and cards in playing order. Nothing is legal where nobody is to act.
    """

    hands: tuple[tuple[str, ...], ...]
    calls: tuple[int | None, ...]
    won: tuple[int, ...]
    scores: tuple[int | float, ...]
    dealer: int
    table: tuple[tuple[int, str], ...]
    legal: tuple[str, ...]
    chosen: str
    winner: int | None


class Replay:
    """A record that was found to keep the rules, and its moments."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        """Raises ConfigError if the record cannot be stepped through."""
        refuse_unsound(record, replay(record), SEATS)
        self.record = record
        self.rules: Variant = build_variant(record["variant"]["name"], record["variant"])
        self.names = tuple(visible(seat["bot"]) for seat in record["seats"])
        self.moments = tuple(
            moment
            for number, deal in enumerate(record["deals"], 1)
            for moment in _moments_of(number, deal)
        )

    def find(self, deal: int, trick: int | None = None, seat: int | None = None) -> int:
        """The index of the first moment of this place (and of this seat's decision there).

        Raises ConfigError if there is none.
        """
        for index, moment in enumerate(self.moments):
            if (moment.deal, moment.trick) == (deal, trick) and seat in (None, moment.seat):
                return index
        raise ConfigError(
            f"there is no {place_words(deal, trick)}",
            where=f"match {visible(str(self.record['match']))}",
            mend=f"deals are 1 to {len(self.record['deals'])}, tricks 1 to {TRICKS}",
        )

    def begins(self, index: int) -> str:
        """`deal` or `place` if a deal or a trick begins with this moment; else empty."""
        moment = self.moments[index]
        if moment.kind == CALL and moment.card == 1:
            return "deal"
        return "place" if moment.card == 1 or moment.kind == DEAL_OVER else ""

    def situation(self, moment: Moment) -> Situation:
        """What lies open at a moment."""
        entry = self.record["deals"][moment.deal - 1]
        deal = _played_up_to(entry, moment, self.rules)
        is_over = moment.kind == TRICK_OVER
        leader, cards = deal.leader, deal.trick
        if is_over:
            leader, cards = deal.tricks[-1].leader, list(deal.tricks[-1].cards)
        return Situation(
            hands=tuple(tuple(names_of(hand)) for hand in deal.hands),
            calls=tuple(deal.calls),
            won=tuple(deal.won),
            scores=self._scores(moment),
            dealer=deal.dealt.dealer,
            table=tuple(((leader + turn) % SEATS, NAMES[c]) for turn, c in enumerate(cards)),
            legal=_legal(deal) if moment.seat is not None else (),
            chosen=_chosen(entry, moment),
            winner=deal.tricks[-1].winner if is_over else None,
        )

    def remarks(self, moment: Moment) -> list[str]:
        """Notes and faults of this very decision, each as a line."""
        if moment.seat is None:
            return []
        return remarks(self.record, self.names, moment.seat, moment.deal, moment.trick)

    def _scores(self, moment: Moment) -> tuple[int | float, ...]:
        over = moment.deal if moment.kind == DEAL_OVER else moment.deal - 1
        return tuple(self.record["deals"][over - 1]["scores"]) if over else (0,) * SEATS


def _moments_of(number: int, deal: Mapping[str, Any]) -> Iterator[Moment]:
    for turn in range(SEATS):
        yield Moment(CALL, number, None, turn + 1, (deal["dealer"] + 1 + turn) % SEATS)
    for place, trick in enumerate(deal["tricks"], 1):
        for turn in range(SEATS):
            yield Moment(PLAY, number, place, turn + 1, (trick["leader"] + turn) % SEATS)
        yield Moment(TRICK_OVER, number, place)
    yield Moment(DEAL_OVER, number)


def _played_up_to(entry: Mapping[str, Any], moment: Moment, rules: Variant) -> Deal:
    """The deal with everything done that comes before the moment."""
    hands = tuple(parse_hand(hand) for hand in entry["hands"])
    deal = Deal(Dealt(entry["dealer"], hands), rules)
    calls = (moment.card or 1) - 1 if moment.kind == CALL else SEATS
    for _ in range(calls):
        deal.apply(entry["calls"][deal.turn])
    cards = [card for trick in entry["tricks"] for card in trick["cards"]]
    for name in cards[: _cards_before(moment)]:
        deal.apply(parse_card(name))
    return deal


def _cards_before(moment: Moment) -> int:
    if moment.kind == DEAL_OVER:
        return TRICKS * SEATS
    if moment.trick is None:
        return 0
    whole = (moment.trick - 1) * SEATS
    return whole + (SEATS if moment.card is None else moment.card - 1)


def _legal(deal: Deal) -> tuple[str, ...]:
    actions = deal.legal()
    return tuple(map(str, actions)) if deal.is_calling else tuple(names_of(actions))


def _chosen(entry: Mapping[str, Any], moment: Moment) -> str:
    """What the record does next; empty where nobody is to act."""
    if moment.kind == CALL:
        return str(entry["calls"][moment.seat])
    if moment.trick is None or moment.card is None:
        return ""
    return str(entry["tricks"][moment.trick - 1]["cards"][moment.card - 1])
