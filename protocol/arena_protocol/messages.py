"""Every message, both ways. Types are strict, and unknown fields are ignored on both sides.

The rule that explains everything: a message with an `id` wants exactly one reply line with that
`id`; a message without one wants none.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from arena_protocol.cards import (
    BySeat,
    Call,
    Card,
    DealNumber,
    Hand,
    Milliseconds,
    Points,
    Seat,
    Trick,
    TrickCount,
    TrickUnderWay,
    Variant,
    Wire,
)

MessageId = Annotated[
    int, Field(ge=0, description="To be repeated in the reply. Never the same twice in a match.")
]
MatchName = Annotated[str, Field(description="The match's name in the tournament.")]
FaultKind = Literal[
    "start-timeout",
    "timeout",
    "malformed",
    "illegal-action",
    "exited",
    "memory",
    "output-limit",
    "idle-cpu",
]

# From the referee.


class HelloLimits(Wire):
    """The limits that hold for this bot, in milliseconds."""

    start_ms: Annotated[Milliseconds, Field(description="From the start of the process to hello.")]
    move_ms: Annotated[Milliseconds, Field(description="For each decision.")]
    match_ms: Annotated[Milliseconds, Field(description="For all decisions of a match together.")]


class Hello(Wire):
    """The first message to a process. The reply may name the program and its version."""

    type: Literal["hello"]
    id: MessageId
    protocol: Annotated[Literal[1], Field(description="The version of this protocol.")]
    game: Literal["callbreak"]
    variant: Variant
    bot: Annotated[str, Field(description="The name under which this bot plays.")]
    limits: HelloLimits


class Start(Wire):
    """A match begins. A process may play several, one after another, always in the same seat."""

    type: Literal["start"]
    match: MatchName
    seat: Seat
    deals: Annotated[int, Field(ge=1, description="Deals in this match.")]
    players: Annotated[
        BySeat[str], Field(description="Names by seat; p0..p3 where the organiser hides them.")
    ]
    seed: Annotated[
        int,
        Field(
            ge=0,
            lt=2**53,
            description="This bot's own source of chance for this match; says nothing of cards.",
        ),
    ]


class Clock(Wire):
    """What this bot may still use, in milliseconds, when the referee begins to write."""

    move_ms: Annotated[Milliseconds, Field(description="For this decision.")]
    match_ms: Annotated[
        Milliseconds, Field(description="For this and all later decisions of the match.")
    ]


class CallState(Wire):
    """All that a player may know before calling."""

    deal: DealNumber
    deals: Annotated[int, Field(ge=1, description="Deals in this match.")]
    dealer: Seat
    seat: Annotated[Seat, Field(description="The seat of the player asked.")]
    hand: Hand
    calls: Annotated[BySeat[Call | None], Field(description="By seat; null where not yet called.")]
    scores: Annotated[BySeat[Points], Field(description="Totals before this deal, by seat.")]


class PlayState(CallState):
    """All that a player may know before playing a card."""

    calls: Annotated[BySeat[Call], Field(description="By seat.")]  # type: ignore[assignment]
    won: Annotated[BySeat[TrickCount], Field(description="Tricks won so far, by seat.")]
    trick: TrickUnderWay
    tricks: Annotated[
        list[Trick], Field(max_length=12, description="Finished tricks of this deal, in order.")
    ]


class ActCall(Wire):
    """Asks for a call."""

    type: Literal["act"]
    id: MessageId
    kind: Literal["call"]
    clock: Clock
    state: CallState
    legal: Annotated[list[Call], Field(min_length=1, description="One of these is to be chosen.")]


class ActPlay(Wire):
    """Asks for a card."""

    type: Literal["act"]
    id: MessageId
    kind: Literal["play"]
    clock: Clock
    state: PlayState
    legal: Annotated[
        list[Card],
        Field(
            min_length=1,
            max_length=13,
            description="One of these is to be chosen; listed as hands are.",
        ),
    ]


Act = Annotated[ActCall | ActPlay, Field(discriminator="kind")]


class DealOver(Wire):
    """A deal is over: all that was open in it, and what it earned."""

    type: Literal["deal_over"]
    deal: DealNumber
    calls: BySeat[Call]
    tricks: Annotated[list[Trick], Field(min_length=13, max_length=13)]
    won: Annotated[BySeat[TrickCount], Field(description="Tricks won, by seat.")]
    points: Annotated[BySeat[Points], Field(description="Earned in this deal, by seat.")]
    scores: Annotated[BySeat[Points], Field(description="Totals after this deal, by seat.")]


class FaultNotice(Wire):
    """What this bot did wrong. Sent to it alone, while its process can still read."""

    type: Literal["fault"]
    kind: FaultKind
    detail: Annotated[str, Field(description="In words, for the bot's log.")]


class End(Wire):
    """The match is over."""

    type: Literal["end"]
    match: MatchName
    scores: Annotated[BySeat[Points], Field(description="Totals, by seat.")]
    ranks: Annotated[
        BySeat[Annotated[int, Field(ge=1, le=4)]],
        Field(description="By seat; equal totals share a rank (1, 2, 2, 4)."),
    ]


class Quit(Wire):
    """No more messages will come. A process that is still there after a grace period is killed."""

    type: Literal["quit"]


Message = Annotated[
    Hello | Start | Act | DealOver | FaultNotice | End | Quit, Field(discriminator="type")
]
MESSAGE: TypeAdapter[Hello | Start | ActCall | ActPlay | DealOver | FaultNotice | End | Quit] = (
    TypeAdapter(Message)
)
"""Reads any message of the referee."""

# From the bot.


class HelloReply(Wire):
    """The reply to hello: the bot is ready."""

    id: MessageId
    name: Annotated[str, Field(description="What the program calls itself.")] = ""
    version: str = ""


class ActReply(Wire):
    """The reply to act. `parse_reply` is what a referee reads it with; this says what is meant."""

    id: MessageId
    action: Annotated[
        Call | Card,
        Field(description="One of `legal`, of the same JSON type: an integer call or a card."),
    ]
    note: Annotated[
        str, Field(description="Kept in the record; what exceeds 1,000 characters is cut off.")
    ] = ""
