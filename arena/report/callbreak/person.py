"""A person at the table, in a terminal: is shown what a bot would be sent, types the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from arena.games.api import WireAction
from arena.report.callbreak.card_text import draw_card, draw_hand
from arena.report.escape import visible
from arena.report.view import Ask


class Person:
    """Decides by asking somebody. Everything known comes from the messages of the protocol."""

    def __init__(self, console: Console, ask: Ask) -> None:
        self._console = console
        self._ask = ask
        self._seat = 0
        self._players: Sequence[str] = ()
        self._deal = 0
        self._tricks_told = 0

    def hear(self, message: Mapping[str, Any]) -> None:
        """Tells how the match begins, how a deal ended, how the match ended."""
        if message["type"] == "start":
            self._tell_start(message)
        elif message["type"] == "deal_over":
            self._tell_tricks(message["tricks"])
            self._tell_deal(message)
        elif message["type"] == "end":
            self._tell_end(message)

    def decide(self, request: Mapping[str, Any]) -> WireAction:
        """Asks until the answer is legal; there is no clock and no way back."""
        state, legal = request["state"], request["legal"]
        if state["deal"] != self._deal:
            self._deal, self._tricks_told = state["deal"], 0
            self._say("")
            dealer, totals = self._who(state["dealer"]), _by_seat(state["scores"])
            deal = f"Deal {state['deal']} of {state['deals']}"
            self._say(f"{deal}, {dealer} dealt; totals {totals}", "bold")
        if request["kind"] == "call":
            return self._ask_call(state, legal)
        return self._ask_card(state, legal)

    def _ask_call(self, state: Mapping[str, Any], legal: Sequence[int]) -> int:
        order = [(state["dealer"] + 1 + turn) % 4 for turn in range(4)]
        calls = [(seat, state["calls"][seat]) for seat in order]
        made = [f"{self._who(seat)} {call}" for seat, call in calls if call is not None]
        self._say(f"Calls: {', '.join(made) or 'yours is the first'}")
        self._show_hand(state["hand"])
        while True:
            typed = self._ask(f"Your call ({legal[0]} to {legal[-1]}): ").strip()
            if typed.isascii() and typed.isdigit() and int(typed) in legal:
                return int(typed)
            self._say(f"A call is a whole number from {legal[0]} to {legal[-1]}.", "yellow")

    def _ask_card(self, state: Mapping[str, Any], legal: Sequence[str]) -> str:
        self._tell_tricks(state["tricks"])
        if not state["tricks"] and not state["trick"]["cards"]:
            self._say(f"Calls by seat: {_by_seat(state['calls'])}")
        self._show_hand(state["hand"])
        count = f"won {state['won'][self._seat]} of {state['calls'][self._seat]}"
        line = Text(f"Trick {len(state['tricks']) + 1}, you {count}. Table: ")
        line.append_text(self._cards_on_table(state["trick"]["leader"], state["trick"]["cards"]))
        self._console.print(line)
        self._console.print(Text("Legal: ").append_text(_row(legal)))
        while True:
            card = read_card(self._ask("Your card: "), legal)
            if card is not None:
                return card
            self._say("Type one of the legal cards, such as " + legal[0] + ".", "yellow")

    def _show_hand(self, hand: Sequence[str]) -> None:
        self._console.print(Text("Your hand: ").append_text(draw_hand(hand)))

    def _cards_on_table(self, leader: int, cards: Sequence[str]) -> Text:
        text = Text()
        for turn, card in enumerate(cards):
            text.append(f"{self._who((leader + turn) % 4)} ").append_text(draw_card(card)).append(
                "  "
            )
        return text if cards else Text("empty, you lead")

    def _tell_tricks(self, tricks: Sequence[Mapping[str, Any]]) -> None:
        """The tricks that were finished since the last time."""
        for number, trick in enumerate(tricks[self._tricks_told :], self._tricks_told + 1):
            line = Text(f"Trick {number}: ")
            line.append_text(self._cards_on_table(trick["leader"], trick["cards"]))
            line.append(f"→ {self._who(trick['winner'])}", style="bold")
            self._console.print(line)
        self._tricks_told = len(tricks)

    def _tell_start(self, message: Mapping[str, Any]) -> None:
        self._seat = message["seat"]
        self._players = [visible(name) for name in message["players"]]
        others = [f"{self._who((self._seat + n) % 4)}" for n in (1, 2, 3)]
        self._say(f"You sit in seat {self._seat}; to your right and round: {', '.join(others)}.")

    def _tell_deal(self, message: Mapping[str, Any]) -> None:
        self._say(f"Deal {message['deal']} is over.", "bold")
        for seat in range(4):
            call, won = message["calls"][seat], message["won"][seat]
            points, total = message["points"][seat], message["scores"][seat]
            self._say(
                f"  {self._who(seat)}: called {call}, won {won}: {points:+g}, total {total:g}"
            )

    def _tell_end(self, message: Mapping[str, Any]) -> None:
        self._say(
            f"The match is over. Your total is {message['scores'][self._seat]:g}, your rank "
            f"{message['ranks'][self._seat]}.",
            "bold",
        )

    def _who(self, seat: int) -> str:
        return "you" if seat == self._seat else f"{self._players[seat]} ({seat})"

    def _say(self, line: str, style: str = "") -> None:
        self._console.print(Text(line, style=style))


def read_card(typed: str, legal: Sequence[str]) -> str | None:
    """The legal card that somebody means by `AS`, `as`, `10d`, `td` or `A♠`; None if none."""
    word = typed.strip().upper().replace("10", "T")
    for sign, suit in (("♠", "S"), ("♥", "H"), ("♦", "D"), ("♣", "C")):
        word = word.replace(sign, suit)
    return word if word in legal else None


def _row(cards: Sequence[str]) -> Text:
    text = Text()
    for card in cards:
        text.append_text(draw_card(card)).append(" ")
    return text


def _by_seat(values: Sequence[Any]) -> str:
    return ", ".join(f"{seat}: {value}" for seat, value in enumerate(values))
