"""What an inspection plays: matches with scripted deals and players, or the game's own deals.

The three other seats are played by us, in this process, from the requests that a bot in their seat
would get: a player sees no more than the protocol shows. They are simple and always do the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.games.api import Game, WireAction
from arena.games.callbreak.game import Callbreak
from arena.games.callbreak.shuffle import Dealt, deals_from
from arena.games.callbreak.state import CallbreakState
from arena.games.callbreak.trick import SEATS
from arena.games.callbreak.variants import build_variant
from arena.inspect.corners import corner_names, corners_of
from arena.inspect.scenes import CORNERS, FURTHER, Scene

Request = Mapping[str, Any]
Variant = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Script:
    """One match to be played with a bot in `seat`. `answer` plays the other seats."""

    name: str
    game: Game
    seat: int
    answer: Callable[[Request], WireAction]

    @property
    def seed(self) -> str:
        """What the deals that are not scripted come from."""
        return f"inspection {self.name}"


@dataclass(frozen=True, slots=True)
class Program:
    """Everything that is played with a bot.

    `main` is played by three processes, by one of them after `before`; `elsewhere` by a fourth, in
    another seat. `corners` names what should be reached, `reached` says what a request is of it.
    """

    main: Script
    before: Script
    elsewhere: Script
    corners: tuple[str, ...]
    reached: Callable[[Request], Iterable[str]]


MAIN, BEFORE, ELSEWHERE = "main", "before", "elsewhere"


def program_for(game: Game, variant: Variant) -> Program:
    """What to play: scripted deals if the game is Callbreak, else deals of its own."""
    seat, other = 1 % game.seats, game.seats - 1
    if isinstance(game, Callbreak):
        return Program(
            main=_scripted(MAIN, seat, CORNERS),
            before=_scripted(BEFORE, seat, FURTHER),
            elsewhere=Script(ELSEWHERE, game, other, any_card),
            corners=corner_names(variant),
            reached=lambda request: corners_of(request, variant),
        )
    return Program(
        main=Script(MAIN, game, seat, any_card),
        before=Script(BEFORE, game, seat, any_card),
        elsewhere=Script(ELSEWHERE, game, other, any_card),
        corners=(),
        reached=lambda request: (),
    )


def any_card(request: Request) -> WireAction:
    """The choice of a player that likes no action better than others, but varies."""
    legal: Sequence[WireAction] = request["legal"]
    return legal[(int(request["id"]) * 7 + 3) % len(legal)]


class ScriptedCallbreak(Callbreak):
    """Callbreak whose first deals are scenes for the bot in `seat`, and the rest from the seed."""

    def __init__(self, scenes: Sequence[Scene], seat: int) -> None:
        self._scenes = scenes
        self._seat = seat

    def new_match(self, seed: str, variant: Variant) -> CallbreakState:
        rules = build_variant(variant["name"], variant)
        scripted = tuple(scene.dealt(self._seat) for scene in self._scenes)
        shuffled = deals_from(seed, rules)[len(scripted) :]
        dealers = ((self._seat + number) % SEATS for number in range(len(scripted), rules.deals))
        own = (Dealt(dealer, deal.hands) for dealer, deal in zip(dealers, shuffled, strict=True))
        return CallbreakState((*scripted, *own)[: rules.deals], rules)

    def answer(self, request: Request) -> WireAction:
        """What a player of the scene does: the dearest wish that is legal."""
        state, legal = request["state"], request["legal"]
        if request["kind"] == "play" and state["deal"] <= len(self._scenes):
            scene = self._scenes[state["deal"] - 1]
            wishes = scene.wishes_of((state["seat"] - self._seat) % SEATS)
            return next((card for card in wishes if card in legal), any_card(request))
        return any_card(request)


def _scripted(name: str, seat: int, scenes: Sequence[Scene]) -> Script:
    game = ScriptedCallbreak(scenes, seat)
    return Script(name, game, seat, game.answer)
