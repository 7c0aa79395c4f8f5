"""State to wire and record: plain JSON-ready data, cards as names, scores as points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.games.callbreak.cards import names_of
from arena.games.callbreak.deal import Deal, FinishedDeal, Trick
from arena.records import Points, points_from_tenths


def observation(
    deal: Deal, seat: int, *, number: int, score_tenths: Sequence[int]
) -> dict[str, Any]:
    """All that a seat may know: its own cards and what lies open in the deal `number` (from 1)."""
    known: dict[str, Any] = {
        "deal": number,
        "deals": deal.rules.deals,
        "dealer": deal.dealt.dealer,
        "seat": seat,
        "hand": names_of(deal.hands[seat]),
        "calls": list(deal.calls),
        "scores": points(score_tenths),
    }
    if not deal.is_calling:
        known["won"] = list(deal.won)
        known["trick"] = {"leader": deal.leader, "cards": names_of(deal.trick)}
        known["tricks"] = [trick_dict(trick) for trick in deal.tricks]
    return known


def deal_over(deal: FinishedDeal, outcome: Mapping[str, Any]) -> dict[str, Any]:
    """The public notification that ends a deal."""
    return {"type": "deal_over", "deal": deal.number, **outcome}


def record_deal(deal: FinishedDeal, outcome: Mapping[str, Any]) -> dict[str, Any]:
    """A deal as the record holds it: hands as dealt, and all that followed."""
    return {
        "deal": deal.number,
        "dealer": deal.dealt.dealer,
        "hands": [names_of(hand) for hand in deal.dealt.hands],
        **outcome,
    }


def outcome(deal: FinishedDeal) -> dict[str, Any]:
    """What came of a deal, as its end is told and recorded."""
    return {
        "calls": list(deal.calls),
        "tricks": [trick_dict(trick) for trick in deal.tricks],
        "won": list(deal.won),
        "points": points(deal.tenths),
        "scores": points(deal.score_tenths),
    }


def trick_dict(trick: Trick) -> dict[str, Any]:
    """A finished trick, its cards in playing order."""
    return {"leader": trick.leader, "cards": names_of(trick.cards), "winner": trick.winner}


def points(tenths: Sequence[int]) -> list[Points]:
    """Scores as written outside."""
    return [points_from_tenths(score) for score in tenths]
