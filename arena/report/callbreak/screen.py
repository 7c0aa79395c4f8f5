"""A recorded match as a screen: the whole table at one moment."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from arena.games.callbreak.trick import SEATS
from arena.report.callbreak.card_text import draw_card, draw_hand
from arena.report.callbreak.lines import result_line
from arena.report.callbreak.replay import (
    CALL,
    DEAL_OVER,
    PLAY,
    TRICK_OVER,
    Moment,
    Replay,
    Situation,
)
from arena.report.escape import visible


def draw(shown: Replay, moment: Moment, view: int | None = None) -> RenderableType:
    """The table at a moment. `view` is the one seat whose hand is seen; None: all are open."""
    situation = shown.situation(moment)
    seats = [_draw_seat(shown, situation, moment, seat, view) for seat in range(SEATS)]
    return Group(
        _headline(shown, moment),
        Text(),
        *seats,
        Text(),
        _draw_table(situation),
        _draw_decision(shown, situation, moment, view),
        *(Text(line, style="yellow") for line in _seen_remarks(shown, moment, view)),
    )


def _headline(shown: Replay, moment: Moment) -> Text:
    place = {
        CALL: f"call {moment.card} of {SEATS}",
        PLAY: f"trick {moment.trick}, card {moment.card}",
        TRICK_OVER: f"trick {moment.trick} is over",
        DEAL_OVER: "the deal is over",
    }[moment.kind]
    deals = len(shown.record["deals"])
    match = visible(str(shown.record["match"]))
    return Text(f"Match {match} · deal {moment.deal} of {deals} · {place}", style="bold")


def _draw_seat(
    shown: Replay, situation: Situation, moment: Moment, seat: int, view: int | None
) -> Text:
    call = situation.calls[seat]
    count = "no call yet" if call is None else f"won {situation.won[seat]} of {call}"
    text = Text()
    text.append("▸ " if moment.seat == seat else "  ", style="bold green")
    text.append(f"{seat} {shown.names[seat][:15]:<15}", style="bold")
    text.append(" D " if situation.dealer == seat else "   ")
    text.append(f"{count:<12}total {situation.scores[seat]:<5g}")
    if view in (None, seat):
        text.append_text(draw_hand(situation.hands[seat]))
    else:
        text.append(f"{len(situation.hands[seat])} cards", style="dim")
    return text


def _draw_table(situation: Situation) -> Text:
    text = Text("table  ")
    for seat, card in situation.table:
        text.append(f"{seat}:")
        text.append_text(draw_card(card))
        text.append("  ")
    return text


def _draw_decision(shown: Replay, situation: Situation, moment: Moment, view: int | None) -> Text:
    if moment.kind == TRICK_OVER:
        return Text(f"seat {situation.winner} wins the trick", style="bold green")
    if moment.kind == DEAL_OVER:
        return Text(result_line(shown, moment))
    if view not in (None, moment.seat):
        return Text(f"seat {moment.seat} is to act")
    text = Text("legal  ")
    for word in situation.legal:
        text.append_text(draw_card(word) if moment.kind == PLAY else Text(word))
        text.append(" ")
    text.append(f"\nseat {moment.seat} {'plays' if moment.kind == PLAY else 'calls'} ")
    chosen = draw_card(situation.chosen) if moment.kind == PLAY else Text(situation.chosen)
    chosen.stylize("bold reverse")
    return text.append_text(chosen)


def _seen_remarks(shown: Replay, moment: Moment, view: int | None) -> list[str]:
    return shown.remarks(moment) if view in (None, moment.seat) else []
