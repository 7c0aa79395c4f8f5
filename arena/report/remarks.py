"""Notes and faults of a record, placed where they happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.errors import ConfigError
from arena.games.api import Replayed
from arena.report.escape import visible
from arena.report.plain_text import place_words


def refuse_unsound(record: Mapping[str, Any], found: Replayed, seats: int) -> None:
    """Raises ConfigError if a record does not keep the rules, or names no match or bots."""
    place = place_words(found.deal, found.trick)
    error = f"{place}: {visible(found.error)}" if place else visible(found.error)
    if not found.error:
        error = _unnamed(record, seats)
    if error:
        raise ConfigError(
            f"this record cannot be stepped through: {error}",
            where=f"match {visible(str(record.get('match', '?')))}",
        )


def _unnamed(record: Mapping[str, Any], wanted: int) -> str:
    """Empty if the match and its bots are named; the rules do not look at names."""
    seats = objects(record.get("seats"))
    if len(seats) != wanted or not all(isinstance(seat.get("bot"), str) for seat in seats):
        return f"it does not name {wanted} bots"
    return "" if isinstance(record.get("match"), str) else "it does not name the match"


def objects(value: object) -> list[Mapping[str, Any]]:
    """What is an object in a list from anywhere."""
    entries = value if isinstance(value, list | tuple) else ()
    return [entry for entry in entries if isinstance(entry, Mapping)]


def remarks(
    record: Mapping[str, Any], names: Sequence[str], seat: int, deal: int, trick: int | None
) -> list[str]:
    """Notes and faults of a seat's decision at a place, each as a line."""
    here = (seat, deal, trick)
    faults = [f for f in objects(record.get("faults")) if _place(f) == here]
    notes = [n for n in objects(record.get("notes")) if _place(n) == here]
    return [fault_line(fault, names) for fault in faults] + [
        f"note of seat {note['seat']}: {visible(str(note.get('text', '')))}" for note in notes
    ]


def _place(thing: Mapping[str, Any]) -> tuple[object, object, object]:
    return thing.get("seat"), thing.get("deal"), thing.get("trick")


def fault_line(fault: Mapping[str, Any], names: Sequence[str]) -> str:
    """A fault in one line that no terminal can be driven with."""
    seat = fault.get("seat", 0)
    line = (
        f"fault of seat {seat} ({names[seat]}): {visible(str(fault.get('kind')))}: "
        f"{visible(str(fault.get('detail', '')))}"
    )
    log = str(fault.get("stderr") or "").strip().splitlines()
    return f"{line}; its log ends: {visible(log[-1])}" if log else line
