"""A recorded match as plain lines: one a trick, for a pipe or a log."""

from __future__ import annotations

from collections.abc import Iterator

from arena.games.callbreak.trick import SEATS
from arena.report.callbreak.replay import CALL, DEAL_OVER, TRICK_OVER, Moment, Replay


def plain_lines(shown: Replay, *, first: int = 0) -> Iterator[str]:
    """The match from a moment on, a line for the calls, each trick and each deal."""
    for moment in shown.moments[first:]:
        if moment.kind == CALL and moment.card == 1:
            yield from _opening_lines(shown, moment)
        yield from (f"  {line}" for line in shown.remarks(moment))
        if moment.kind == TRICK_OVER:
            yield _trick_line(shown, moment)
        elif moment.kind == DEAL_OVER:
            yield result_line(shown, moment)


def _opening_lines(shown: Replay, moment: Moment) -> Iterator[str]:
    deal = shown.record["deals"][moment.deal - 1]
    yield f"deal {moment.deal}, dealer {deal['dealer']}"
    for seat, hand in enumerate(deal["hands"]):
        yield f"  {seat} {shown.names[seat]}: {' '.join(hand)}, calls {deal['calls'][seat]}"


def _trick_line(shown: Replay, moment: Moment) -> str:
    situation = shown.situation(moment)
    cards = "  ".join(f"{seat}:{card}" for seat, card in situation.table)
    return f"deal {moment.deal}, trick {moment.trick}: {cards}  won by {situation.winner}"


def result_line(shown: Replay, moment: Moment) -> str:
    """What each seat called, won and earned in the deal of this moment."""
    deal = shown.record["deals"][moment.deal - 1]
    parts = [
        f"{seat} {shown.names[seat]} called {deal['calls'][seat]} won {deal['won'][seat]}: "
        f"{deal['points'][seat]:+g} = {deal['scores'][seat]:g}"
        for seat in range(SEATS)
    ]
    return f"deal {moment.deal} over: {'; '.join(parts)}"
