"""Types that the messages, the record and the manifest share."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

T = TypeVar("T")

Card = Annotated[
    str,
    Field(
        pattern=r"^[AKQJT98765432][SHDC]$",
        description="A card: rank (A K Q J T 9..2), then suit (S H D C), as AS, TD, 2C.",
        examples=["AS", "TD", "2C"],
    ),
]
Seat = Annotated[
    int,
    Field(ge=0, le=3, description="A seat, 0 to 3 in turn order: seat s+1 plays after seat s."),
]
Call = Annotated[
    int,
    Field(ge=1, le=13, description="Tricks that a player says to win; the variant has its range."),
]
Points = Annotated[
    int | float,
    Field(description="A score in points: whole ones are integers, others have one decimal."),
]
TrickCount = Annotated[int, Field(ge=0, le=13, description="Tricks won in a deal.")]
DealNumber = Annotated[int, Field(ge=1, description="A deal of the match, from 1.")]
TrickNumber = Annotated[int, Field(ge=1, le=13, description="A trick of the deal, from 1.")]
Milliseconds = Annotated[int, Field(ge=0, description="Milliseconds.")]

BySeat = Annotated[list[T], Field(min_length=4, max_length=4)]
"""Four values, by seat."""

Hand = Annotated[
    list[Card],
    Field(max_length=13, description="Cards, listed S, H, D, C and high to low in each suit."),
]


class Wire(BaseModel):
    """What every model here does: types are strict, unknown fields are ignored."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


class Trick(Wire):
    """A finished trick."""

    leader: Seat
    cards: Annotated[
        list[Card],
        Field(min_length=4, max_length=4, description="In playing order, the leader's first."),
    ]
    winner: Seat


class TrickUnderWay(Wire):
    """The trick that the player asked will play to."""

    leader: Seat
    cards: Annotated[
        list[Card],
        Field(max_length=3, description="Cards played so far, the leader's first; [] to lead."),
    ]


class Variant(Wire):
    """The rules of a match: a name and every parameter, so that no bot needs to know presets."""

    name: Annotated[
        str, Field(description="`master`, `bhoos`, `classic`, or an organiser's own name.")
    ]
    version: Annotated[
        int, Field(ge=1, description="Changes when a parameter comes to mean something else.")
    ]
    deals: Annotated[int, Field(ge=1, description="Deals in a match.")]
    min_call: Call
    max_call: Call
    overtricks_allowed: Annotated[
        int | None,
        Field(ge=0, description="Tricks above the call that still succeed; null: any number."),
    ]
    overtrick_tenths: Annotated[
        int, Field(ge=0, description="What each of them earns, in tenths of a point.")
    ]
    bonus_call: Annotated[
        Call | None,
        Field(description="Calls from this on earn `bonus_points` on success; null: none do."),
    ]
    bonus_points: Annotated[int, Field(ge=0, description="Instead of the call, in whole points.")]
    must_head: Annotated[
        bool,
        Field(
            description="A follower must beat the best card of the led suit if able, while the "
            "trick is not ruffed; also when spades are led."
        ),
    ]
    void_duty: Annotated[
        Literal["overruff", "ruff", "free"],
        Field(
            description="Who cannot follow must, if able: beat every spade in the trick with a "
            "spade (`overruff`), play any spade (`ruff`), or nothing (`free`)."
        ),
    ]
    redeal: Annotated[
        Literal["none", "no-spade", "no-face-card"],
        Field(description="Which hands throw a deal in before anybody sees it."),
    ]
