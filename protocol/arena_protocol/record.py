"""The record of a finished match: enough for another program to replay it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from arena_protocol.cards import (
    BySeat,
    Call,
    DealNumber,
    Hand,
    Points,
    Seat,
    Trick,
    TrickCount,
    TrickNumber,
    Variant,
    Wire,
)
from arena_protocol.messages import FaultKind

Ms = Annotated[float, Field(ge=0, description="Milliseconds.")]


class SeatRecord(Wire):
    """Who sat here."""

    bot: Annotated[str, Field(description="The bot's name.")]
    version: str
    digest: Annotated[str, Field(description="SHA-256 of the bot's files, in hex.")]


class DealRecord(Wire):
    """One deal: the cards and all that followed."""

    deal: DealNumber
    dealer: Seat
    hands: Annotated[
        BySeat[Annotated[Hand, Field(min_length=13)]], Field(description="As dealt, by seat.")
    ]
    calls: BySeat[Call]
    tricks: Annotated[list[Trick], Field(min_length=13, max_length=13)]
    won: BySeat[TrickCount]
    points: Annotated[BySeat[Points], Field(description="Earned in this deal, by seat.")]
    scores: Annotated[BySeat[Points], Field(description="Totals after this deal, by seat.")]


class FaultRecord(Wire):
    """What a bot did wrong, with the evidence that there is."""

    seat: Seat
    kind: FaultKind
    deal: Annotated[DealNumber | None, Field(description="null before the first deal.")]
    trick: Annotated[TrickNumber | None, Field(description="null outside of a trick (calls).")]
    detail: Annotated[str, Field(description="In words.")]
    arrived: Annotated[str, Field(description="What the bot sent, clipped and escaped.")] = ""
    used_ms: Annotated[Ms | None, Field(description="Time used, in ms, against `limit_ms`.")] = None
    limit_ms: Annotated[int | None, Field(ge=0, description="The limit, in ms.")] = None
    status: Annotated[str, Field(description="Exit status or signal, in words.")] = ""
    stderr: Annotated[str, Field(description="The last lines of the bot's log.")] = ""
    retired: Annotated[
        bool,
        Field(description="False if the fault was forgiven (strikes) and the bot played on."),
    ] = True
    host_stalled: Annotated[
        bool,
        Field(description="True if the referee's machine was itself starved at that moment."),
    ] = False


class TimingRecord(Wire):
    """How long one seat thought."""

    decisions: Annotated[int, Field(ge=0, description="Decisions asked of the bot.")]
    total_ms: Ms
    slowest_ms: Ms
    idle_cpu_ms: Annotated[
        Ms | None,
        Field(
            description="Processor time used while others were asked, since it was last measured; "
            "left out if it was not measured at the end of this match."
        ),
    ] = None


class NoteRecord(Wire):
    """A remark that a bot sent with an action."""

    seat: Seat
    deal: DealNumber
    trick: Annotated[TrickNumber | None, Field(description="null: with a call.")]
    text: Annotated[str, Field(max_length=1000)]


class MatchRecord(Wire):
    """One match. A rating needs only `seats[].bot`, `scores`, `ranks`, `faults` and `set`."""

    record: Annotated[Literal[1], Field(description="The version of this format.")]
    match: Annotated[str, Field(description="The match's name, unique in its tournament.")]
    set: Annotated[
        str, Field(description="The deal set: matches of one set are played on the same cards.")
    ]
    game: Literal["callbreak"]
    variant: Variant
    seed: Annotated[str, Field(description="All deals follow from it.")]
    started: Annotated[str, Field(description="UTC, ISO 8601.")]
    seats: BySeat[SeatRecord]
    deals: Annotated[list[DealRecord], Field(min_length=1)]
    scores: Annotated[BySeat[Points], Field(description="Totals, by seat.")]
    ranks: Annotated[
        BySeat[Annotated[int, Field(ge=1, le=4)]],
        Field(description="By seat. A bot retired by a fault ranks below every one that is not."),
    ]
    faults: list[FaultRecord]
    timing: Annotated[
        list[TimingRecord], Field(max_length=4, description="By seat; [] where unknown.")
    ]
    notes: list[NoteRecord]
