"""What a server of the 2022 tournament is asked, in our words: the other half of the bridge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from arena_protocol.complaints import first_complaint
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from arena.adapters.bhoos.cards import our_card, our_name
from arena.errors import ConfigError
from arena.games.callbreak.cards import names_of
from arena.games.callbreak.trick import legal_cards
from arena.games.callbreak.variants import Variant
from arena.records import points_from_tenths, tenths_from_points

SEATS = 4
DEAL_MS = 1500
"""What a bot had there for a whole deal, where a question does not say what is left of it."""

_Card = Annotated[str, Field(min_length=2, max_length=2)]
_Index = Annotated[int, Field(ge=0, lt=SEATS)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Player(_Part):
    """What the table shows of a player. A bid of 0 is one that was not made yet."""

    totalPoints: Annotated[float, Field(allow_inf_nan=False)] = 0  # noqa: N815 (their name)
    bid: Annotated[int, Field(ge=0, le=13)] = 0
    won: Annotated[int, Field(ge=0, le=13)] = 0


class Context(_Part):
    """The deal's number and its players by id."""

    round: Annotated[int, Field(ge=1)]
    players: dict[str, Player]


class Question(_Part):
    """The body of `POST /bid` or `POST /play`."""

    timeBudget: Annotated[float, Field(ge=0, allow_inf_nan=False)] = DEAL_MS  # noqa: N815
    playerId: str  # noqa: N815
    playerIds: Annotated[list[str], Field(min_length=SEATS, max_length=SEATS)]  # noqa: N815
    cards: Annotated[list[_Card], Field(min_length=1, max_length=13)]
    context: Context
    played: Annotated[list[_Card], Field(max_length=SEATS - 1)] = []
    history: Annotated[list[tuple[_Index, list[_Card], _Index]], Field(max_length=13)] = []


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in our words: `state` and `legal` as an act message has them."""

    kind: str
    seat: int
    players: tuple[str, ...]
    deal: int
    budget_ms: int
    cards_left: int
    state: Mapping[str, Any]
    legal: tuple[int | str, ...]


def read_question(kind: str, body: bytes, rules: Variant) -> Asked:
    """The question in our words. Raises ConfigError for what cannot be one."""
    try:
        question = Question.model_validate_json(body)
        return _in_our_words(kind, question, rules)
    except ValidationError as error:
        first = first_complaint(error)
        raise ConfigError(f"{first.place or 'body'}: {first.said}") from None
    except (KeyError, ValueError) as error:
        raise ConfigError(f"cannot be understood: {error}") from None


def _in_our_words(kind: str, question: Question, rules: Variant) -> Asked:
    ids = question.playerIds
    seat = ids.index(question.playerId)
    hand = tuple(sorted(map(our_card, question.cards)))
    trick = [our_card(card) for card in question.played]
    calls = [question.context.players[name].bid or None for name in ids]
    is_call = kind == "call"
    leader = (seat - len(trick)) % SEATS
    first = question.history[0][0] if question.history else leader
    # Calls go round once, from the dealer's right: whoever has called sits just before us.
    first_caller = (seat - sum(call is not None for call in calls)) % SEATS if is_call else first
    state: dict[str, Any] = {
        "deal": question.context.round,
        "deals": max(rules.deals, question.context.round),
        "dealer": (first_caller - 1) % SEATS,
        "seat": seat,
        "hand": names_of(hand),
        "calls": calls,
        "scores": [
            points_from_tenths(tenths_from_points(question.context.players[name].totalPoints))
            for name in ids
        ],
    }
    if not is_call:
        state["won"] = [
            sum(end == place for _, _, end in question.history) for place in range(SEATS)
        ]
        state["trick"] = {"leader": leader, "cards": names_of(trick)}
        state["tricks"] = [
            {"leader": start, "cards": [our_name(card) for card in cards], "winner": end}
            for start, cards, end in question.history
        ]
    legal: tuple[int | str, ...] = (
        tuple(range(rules.min_call, rules.max_call + 1))
        if is_call
        else tuple(names_of(legal_cards(hand, trick, rules)))
    )
    return Asked(
        kind=kind,
        seat=seat,
        players=tuple(ids),
        deal=question.context.round,
        budget_ms=int(question.timeBudget),
        cards_left=len(hand),
        state=state,
        legal=legal,
    )
