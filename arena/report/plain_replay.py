"""A recorded match of any game, decision by decision.

The record's actions are played again by the rules, so that every moment shows what the seat to act
was told, what was legal, what it did, and what all were told since the moment before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.text import Text

from arena.errors import ConfigError
from arena.games.api import Game, State, WireAction, actions_of
from arena.records import Points, points_from_tenths
from arena.report.escape import visible
from arena.report.plain_person import PlainPerson, fields_of
from arena.report.plain_text import event_line, place_words, plain
from arena.report.plain_watch import PlainWatcher
from arena.report.remarks import refuse_unsound, remarks
from arena.report.view import Ask

OVER = "over"


@dataclass(frozen=True, slots=True)
class PlainMoment:
    """A decision before it is made, or the end of the match.

    `number` counts the actions before it; `scores` are totals by seat; `told` is what all seats
    have been told since the moment before.
    """

    kind: str
    deal: int
    trick: int | None
    seat: int | None
    number: int
    action: WireAction | None
    scores: tuple[Points, ...]
    told: tuple[Mapping[str, Any], ...]


class PlainReplay:
    """A record that was found to keep the rules, and its moments."""

    def __init__(self, game: Game, record: Mapping[str, Any]) -> None:
        found = game.replay(record)
        seats = len(found.asked) or len(record.get("seats") or ())
        refuse_unsound(record, found, seats)
        self.record = record
        self.names = tuple(visible(seat["bot"]) for seat in record["seats"])
        self._game = game
        self._actions = list(actions_of(game, record))
        self.moments = tuple(self._moments())

    def _begun(self) -> State:
        return self._game.new_match(str(self.record["seed"]), self.record["variant"])

    def _moments(self) -> Iterator[PlainMoment]:
        state = self._begun()
        for number, action in enumerate([*self._actions, None]):
            at, is_over = state.position(), state.is_terminal()
            yield PlainMoment(
                kind=OVER if is_over else state.kind(),
                deal=at.deal,
                trick=None if is_over else at.trick,
                seat=None if is_over else state.current_player(),
                number=number,
                action=action,
                scores=tuple(points_from_tenths(total) for total in state.returns()),
                told=tuple(state.events()),
            )
            if action is not None:
                state.answer(action)

    def state_at(self, moment: PlainMoment) -> State:
        """The match as it stood at a moment."""
        state = self._begun()
        for action in self._actions[: moment.number]:
            state.answer(action)
        return state

    def find(self, deal: int, trick: int | None = None, seat: int | None = None) -> int:
        """The index of the first moment of this place (and of this seat's decision there)."""
        for index, moment in enumerate(self.moments):
            is_there = moment.deal == deal and trick in (None, moment.trick)
            if is_there and moment.seat is not None and seat in (None, moment.seat):
                return index
        whose = "" if seat is None else f" with a decision of seat {seat}"
        raise ConfigError(
            f"there is no {place_words(deal, trick)}{whose}",
            where=f"match {visible(str(self.record['match']))}",
            mend=f"deals are 1 to {self.moments[-1].deal}",
        )

    def begins(self, index: int) -> str:
        """`deal` or `place` if one begins with this moment; else empty."""
        now, before = self.moments[index], self.moments[index - 1] if index else None
        if before is None or now.deal != before.deal:
            return "deal"
        return "place" if now.trick != before.trick else ""

    def remarks(self, moment: PlainMoment) -> list[str]:
        """Notes and faults of this very decision, each as a line."""
        if moment.seat is None:
            return []
        return remarks(self.record, self.names, moment.seat, moment.deal, moment.trick)

    def draw(self, moment: PlainMoment, view: int | None = None) -> RenderableType:
        """What a seat was told at a moment, what was legal, what it did, and what came before."""
        state, looker = self.state_at(moment), moment.seat if view is None else view
        place = "the match is over" if moment.seat is None else place_words(None, moment.trick)
        match = visible(str(self.record["match"]))
        deals = self.moments[-1].deal
        head = [f"Match {match}", f"deal {moment.deal} of {deals}", *([place] if place else [])]
        seats = [self._seat(moment, seat) for seat in range(len(self.names))]
        parts: list[RenderableType] = [Text(" · ".join(head), style="bold"), Text(), *seats, Text()]
        if looker is not None:
            parts.append(fields_of(f"what seat {looker} knows", state.observation(looker)))
        parts += [Text(event_line(event), style="green") for event in moment.told]
        if moment.seat is not None and view in (None, moment.seat):
            legal = " ".join(visible(plain(state.encode(a))) for a in state.legal_actions())
            parts.append(Text(f"legal  {legal}"))
            parts.append(
                Text(f"seat {moment.seat} {visible(moment.kind)} ").append(
                    visible(plain(moment.action)), style="bold reverse"
                )
            )
            parts += [Text(line, style="yellow") for line in self.remarks(moment)]
        elif moment.seat is not None:
            parts.append(Text(f"seat {moment.seat} is to act"))
        return Group(*parts)

    def _seat(self, moment: PlainMoment, seat: int) -> Text:
        text = Text("▸ " if moment.seat == seat else "  ", style="bold green")
        return text.append(f"{seat} {self.names[seat][:15]:<15} total {moment.scores[seat]:g}")

    def lines(self, first: int = 0) -> Iterator[str]:
        """The match from a moment on, a line for each action and each notification."""
        for moment in self.moments[first:]:
            yield from (event_line(event) for event in moment.told)
            yield from (f"  {line}" for line in self.remarks(moment))
            if moment.seat is None:
                totals = zip(self.names, moment.scores, strict=True)
                yield "the match is over: " + ", ".join(f"{n} {score:g}" for n, score in totals)
            else:
                yield (
                    f"{place_words(moment.deal, moment.trick)}: seat {moment.seat} "
                    f"{self.names[moment.seat]}: {visible(moment.kind)} "
                    f"{visible(plain(moment.action))}"
                )


class PlainView:
    """The view of every game that brings none."""

    name = ""

    def step(self, game: Game, record: Mapping[str, Any]) -> PlainReplay:
        return PlainReplay(game, record)

    def person(self, console: Console, ask: Ask) -> PlainPerson:
        return PlainPerson(console, ask)

    def watcher(self, console: Console) -> PlainWatcher:
        return PlainWatcher(console)

    def action(self, action: WireAction) -> Text:
        return Text(visible(plain(action)), style="bold")


PLAIN = PlainView()
