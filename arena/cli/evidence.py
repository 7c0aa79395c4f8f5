"""Faults and findings on screen: what is wrong, and under it the evidence, line by line."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from arena.records import Fault
from arena.report.escape import visible

_LABEL_WIDTH = 8


def evidence(rows: Iterable[tuple[str, str]]) -> Padding:
    """Labels and texts side by side, without those that have no text; safe whatever a bot wrote."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(width=_LABEL_WIDTH, style="dim")
    grid.add_column(overflow="fold")
    for label, text in rows:
        if text:
            lines = [visible(line) for line in text.split("\n")]
            grid.add_row(label, Text("\n".join(lines)))
    return Padding(grid, (0, 0, 0, 2), expand=False)


def show_fault(console: Console, bot: str, fault: Fault) -> None:
    """One fault of a match: who, where, what, and all that is known about it."""
    head = f"{visible(bot)} (seat {fault.seat}): {fault.kind.value}"
    if not fault.retired:
        head += " (forgiven)"
    console.print(Text(head, style="yellow"))
    console.print(
        evidence(
            (
                ("where", _place(fault)),
                ("what", fault.detail),
                ("arrived", fault.arrived),
                ("time", _time(fault)),
                ("process", fault.status),
                ("log", fault.stderr),
            )
        )
    )


def _place(fault: Fault) -> str:
    if fault.deal is None:
        return "before the first deal"
    within = "the calls" if fault.trick is None else f"trick {fault.trick}"
    return f"deal {fault.deal}, {within}"


def _time(fault: Fault) -> str:
    if fault.used_ms is None:
        return ""
    limit = "" if fault.limit_ms is None else f" of {fault.limit_ms} ms"
    stalled = "; this machine had no processor to give" if fault.host_stalled else ""
    return f"{fault.used_ms:.0f} ms{limit}{stalled}"
