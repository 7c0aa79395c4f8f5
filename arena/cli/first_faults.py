"""What a run tells of faults when it is over: the first of each bot with its evidence."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from arena.cli.evidence import show_fault
from arena.records import Fault
from arena.report.escape import visible
from arena.tournament.plan import Outcome

SHOWN = 5
"""So many bots are told of in full; the board counts the faults of all."""


class FirstFaults:
    """A listener that keeps the first fault of each bot."""

    def __init__(self) -> None:
        self._first: dict[str, tuple[str, Fault]] = {}
        self._counts: dict[str, int] = {}

    def finished(self, outcome: Outcome) -> None:
        """Notes the faults of a match."""
        record = outcome.record
        for fault in outcome.faults:
            assert record is not None
            bot = record.seats[fault.seat].name
            self._first.setdefault(bot, (record.match, fault))
            self._counts[bot] = self._counts.get(bot, 0) + 1

    def void(self, outcome: Outcome) -> None:
        """A void match charges nobody."""

    def show(self, console: Console) -> None:
        """Prints them, the bot that faulted first before the others; nothing if there are none."""
        for bot, (match, fault) in list(self._first.items())[:SHOWN]:
            count = self._counts[bot]
            which = f"first of {count} faults" if count > 1 else "fault"
            console.print(Text(f"\n{which} of {visible(bot)}, in match {match}", style="bold"))
            show_fault(console, bot, fault)
        if len(self._first) > SHOWN:
            console.print(f"\nand {len(self._first) - SHOWN} more bots; the board counts faults")
