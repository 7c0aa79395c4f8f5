"""Which bots were withdrawn after the first orbits of a run, and which matches are void for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from arena.tournament.audit import Finding, faults_of
from arena.tournament.audit_header import Header
from arena.tournament.plan import MatchSpec
from arena.tournament.runner import void_reason


class Trial:
    """The first orbits of a run that withdraws bots which do nothing but fault in them."""

    def __init__(self, sets: int = 0) -> None:
        self._sets = sets
        self._played: Counter[int] = Counter()
        self._faulted: Counter[int] = Counter()
        self._void: list[tuple[MatchSpec, object]] = []
        self._gone: frozenset[int] | None = None if sets else frozenset()
        self._names: tuple[str, ...] = ()

    def leaves_out(self, spec: MatchSpec) -> bool:
        """True for a match that is not played because a bot was withdrawn before it."""
        return self._is_after(spec) and bool(self._decide().intersection(spec.seats))

    def before(self, spec: MatchSpec) -> Iterator[Finding]:
        """Called for each match before it is judged: the trial may be over."""
        if self._sets and self._is_after(spec):
            yield from self.end(must=True)
            if self._decide().intersection(spec.seats):
                yield Finding(spec.match, "was played with a bot that had been withdrawn")

    def judge(
        self, header: Header, spec: MatchSpec, record: Mapping[str, Any]
    ) -> Iterator[Finding]:
        """Takes a match into account, and says whether it is void for nothing."""
        self._names = tuple(str(bot["bot"]) for bot in header.bots)
        if self._sets and not self._is_after(spec):
            seats = [fault.get("seat") for fault in faults_of(record)]
            at_fault = {
                bot for place, bot in enumerate(spec.seats) if any(place == each for each in seats)
            }
            self._played.update(set(spec.seats))
            self._faulted.update(at_fault)
            self._void.append((spec, record.get("void")))
        elif "void" in record:
            yield Finding(spec.match, "is marked void, and no bot was withdrawn from it")

    def end(self, *, must: bool = False) -> Iterator[Finding]:
        """The matches of the trial whose mark is not what their faults make it.

        If the run was stopped right after its trial, a mark can be missing, unless it `must` be.
        """
        judged, self._void = self._void, []
        for spec, void in judged:
            gone = self._decide().intersection(spec.seats)
            names = sorted({self._names[bot] for bot in gone})
            wanted = void_reason(self._sets, names) if names else None
            if void != wanted and (void is not None or must):
                yield Finding(
                    spec.match,
                    "is marked void, and no bot was withdrawn from it"
                    if wanted is None
                    else f"is not marked void, and should be: {wanted}"
                    if void is None
                    else f"is marked void for another reason than {wanted}",
                )

    def _is_after(self, spec: MatchSpec) -> bool:
        return spec.deal_set is not None and spec.deal_set >= self._sets

    def _decide(self) -> frozenset[int]:
        if self._gone is None:
            played, faulted = self._played, self._faulted
            self._gone = frozenset(bot for bot in played if faulted[bot] == played[bot])
        return self._gone
