"""Compares what a record says of faults and times with what the referee can have written.

How many decisions a bot faced follows from the replay, and each of them is in its timing: a fault
that somebody added, or took away, no longer fits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeGuard

from arena.records import FaultKind

_ROUNDING_MS = 0.01
_AFTER_THE_END = frozenset((FaultKind.MALFORMED.value, FaultKind.OUTPUT_LIMIT.value))
"""Of these a bot can be accused when the last trick has been played."""


def audit_conduct(record: Mapping[str, Any], asked: Sequence[int]) -> Iterator[str]:
    """What does not fit. `asked`: how many decisions each seat's bot faced (`Replayed.asked`)."""
    by_seat: list[list[Mapping[str, Any]]] = [[] for _ in asked]
    for fault in record.get("faults") or ():
        by_seat[fault["seat"]].append(fault)
        yield from _evidence(fault)
    timing = record.get("timing")
    if not isinstance(timing, list) or len(timing) != len(asked):
        yield "does not tell the times of every seat (`timing`)"
        return
    for seat, faults in enumerate(by_seat):
        if any(fault.get("retired") is not False for fault in faults[:-1]):
            yield f"seat {seat} has a fault after the one that retired it"
        yield from (f"seat {seat} {what}" for what in _times(timing[seat], faults, asked[seat]))


def _evidence(fault: Mapping[str, Any]) -> Iterator[str]:
    kind, seat = fault.get("kind"), fault.get("seat")
    if kind not in list(FaultKind):
        yield f"seat {seat} has a fault of no known kind: {str(kind)[:40]!r}"
    elif "deal" not in fault:
        yield f"seat {seat} has a fault that does not say in which deal"
    elif kind == FaultKind.ILLEGAL_ACTION and not fault.get("arrived"):
        yield f"seat {seat} is charged with an illegal action, and nothing says which"
    elif kind == FaultKind.ILLEGAL_ACTION and not _is_number(fault.get("used_ms")):
        yield f"seat {seat} is charged with an illegal action that was never timed"
    elif kind == FaultKind.TIMEOUT:
        used, limit = fault.get("used_ms"), fault.get("limit_ms")
        if not (_is_number(used) and _is_number(limit) and used >= limit - _ROUNDING_MS):
            yield f"seat {seat} is charged with a timeout after {used} ms of {limit}"


def _times(
    told: object,
    faults: Sequence[Mapping[str, Any]],
    asked: int,
) -> Iterator[str]:
    if not isinstance(told, Mapping):
        yield "has no times"
        return
    decisions, total, slowest = (told.get(k) for k in ("decisions", "total_ms", "slowest_ms"))
    if type(decisions) is not int or not _is_number(total) or not _is_number(slowest):
        yield "has no times"
        return
    if any(_is_number(used := f.get("used_ms")) and used > slowest + _ROUNDING_MS for f in faults):
        yield f"has a fault that took longer than its slowest decision, {slowest} ms"
    if decisions not in _possible(faults, asked):
        yield f"has the times of {decisions} decisions, and its bot faced {asked}"
    if not slowest - _ROUNDING_MS <= total <= decisions * slowest + _ROUNDING_MS * (decisions + 1):
        yield f"thought {total} ms in {decisions} decisions of {slowest} ms at most"


def _possible(faults: Sequence[Mapping[str, Any]], asked: int) -> tuple[int, ...]:
    """How many decisions may have been timed: that of the retiring fault if the clock ran."""
    last = faults[-1] if faults else {}
    if not faults or last.get("retired") is False:
        return (asked,)
    if last.get("kind") == FaultKind.IDLE_CPU and last.get("deal") is not None:
        return (asked - 1, asked)  # charged in another's turn, before or after its own
    if last.get("used_ms") is not None:
        return (asked + 1,) if last.get("deal") is not None else (asked, asked + 1)
    return (asked, asked + 1) if last.get("kind") in _AFTER_THE_END else (asked,)


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
