"""Plays what a run folder lacks.

Theory of operation. `run` streams the missing matches through the executor into the store, one
transaction each (in WAL mode that costs a tenth of a millisecond, and a killed run loses only what
was in flight). A void match is tried again a few times; if nothing can be played at all, the
harness is broken and the run says so instead of going on for hours. If the organiser asked for it,
bots that faulted in every match of the first orbits are withdrawn: everything of those orbits is
finished first, so that the decision does not depend on which worker was faster.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import takewhile
from typing import Protocol

from arena.errors import SandboxError
from arena.records import MatchRecord
from arena.store import Packed, Played, RunStore
from arena.tournament.held import held_to
from arena.tournament.plan import MatchSpec, Outcome, pack
from arena.tournament.prepare import Tournament
from arena.words import counted

ATTEMPTS = 3
"""How often a match is tried before the harness counts as broken."""

HOPELESS = 8
"""So many void matches and none played: the harness is broken, there is no point in going on."""


class Listener(Protocol):
    """Hears of every outcome, after it is safe in the store."""

    def finished(self, outcome: Outcome) -> None: ...

    def void(self, outcome: Outcome) -> None: ...


@dataclass(slots=True)
class Stop:
    """Set `asked` to have the matches in flight finished and no more begun."""

    asked: bool = False


@dataclass(frozen=True, slots=True)
class Summary:
    """How a run ended: matches in the folder now, of how many; whether it was stopped early."""

    done: int
    total: int

    @property
    def complete(self) -> bool:
        """True if every match has been played."""
        return self.done == self.total


def run(
    tournament: Tournament, store: RunStore, *, listener: Listener, stop: Stop | None = None
) -> Summary:
    """Plays what is missing. Raises SandboxError if matches cannot be played at all."""
    stop = stop or Stop()
    withdrawn: frozenset[int] = frozenset()
    trial = tournament.withdraw_after
    if trial:
        _play_all(tournament, store, listener, stop, last_set=trial)
        if not stop.asked:
            withdrawn = _withdraw(tournament, store, trial)
    if not stop.asked:
        _play_all(tournament, store, listener, stop, without=withdrawn)
    total = tournament.total
    if withdrawn:
        total = sum(1 for _ in _specs(tournament, without=withdrawn, trial=trial))
    summary = Summary(store.count(), total)
    store.set_header({"finished": summary.complete})
    return summary


def _play_all(
    tournament: Tournament,
    store: RunStore,
    listener: Listener,
    stop: Stop,
    *,
    last_set: int | None = None,
    without: frozenset[int] = frozenset(),
) -> None:
    """Plays every missing match, of the first `last_set` deal sets or of all."""
    for _ in range(ATTEMPTS):
        specs = _specs(tournament, without=without, trial=tournament.withdraw_after)
        if last_set is not None:
            specs = takewhile(lambda spec: (spec.deal_set or 0) < last_set, specs)
        done = store.done()
        missing = (spec for spec in specs if spec.number not in done)
        voids = _pass(tournament, _until(stop, missing), store, listener)
        if not voids or stop.asked:
            return
        if voids[-1].by_plugin:
            break  # a plugin does not mend itself
    raise SandboxError(
        f"match {voids[-1].spec.match} cannot be played: {voids[-1].void}",
        mend="mend it and start the same command again; what is finished is kept",
    )


def _specs(
    tournament: Tournament, *, without: frozenset[int] = frozenset(), trial: int = 0
) -> Iterator[MatchSpec]:
    """The tournament's matches; after the trial none with a withdrawn bot."""
    for spec in tournament.specs:
        after_trial = spec.deal_set is not None and spec.deal_set >= trial
        if not (after_trial and without.intersection(spec.seats)):
            yield spec


def _pass(
    tournament: Tournament, specs: Iterator[MatchSpec], store: RunStore, listener: Listener
) -> list[Outcome]:
    """Plays the matches once; returns the last void outcomes."""
    voids: list[Outcome] = []
    played = 0
    with closing(held_to(tournament.executor, tournament.plan, specs, tournament.workers)) as (
        outcomes
    ):
        for outcome in outcomes:
            if outcome.record is not None:
                played += 1
                packed = outcome.packed or pack(outcome.record)
                store.add([_played(outcome.spec, outcome.record, packed)])
                listener.finished(outcome)
                continue
            store.add_void(outcome.spec.number, outcome.void)
            listener.void(outcome)
            voids = [*voids[-HOPELESS:], outcome]
            if not played and len(voids) > HOPELESS:
                break
    return voids


def _withdraw(tournament: Tournament, store: RunStore, trial: int) -> frozenset[int]:
    """The bots that faulted in each of their matches of the trial; those matches become void."""
    played: Counter[str] = Counter()
    faulted: Counter[str] = Counter()
    matches: list[tuple[str, set[str]]] = []
    for record in store.records():
        if record["deal_set"] < trial:
            bots = [seat["bot"] for seat in record["seats"]]
            at_fault = {bots[fault["seat"]] for fault in record["faults"]}
            played.update(set(bots))
            faulted.update(at_fault)
            matches.append((record["match"], set(bots)))
    gone = {bot for bot in played if faulted[bot] == played[bot]}
    for match, bots_of in matches:
        if names := sorted(gone & bots_of):
            store.mark_void(match, void_reason(trial, names))
    return frozenset(i for i, bot in enumerate(tournament.plan.bots) if bot.name in gone)


def void_reason(trial: int, names: Sequence[str]) -> str:
    """Why a match is void in which these bots sat, withdrawn after so many orbits."""
    return f"withdrawn after {counted(trial, 'orbit')} of faults: {', '.join(names)}"


def _until(stop: Stop, specs: Iterator[MatchSpec]) -> Iterator[MatchSpec]:
    for spec in specs:
        if stop.asked:
            return
        yield spec


def _played(spec: MatchSpec, record: MatchRecord, packed: Packed) -> Played:
    return Played(spec.number, spec.match, bots=spec.seats, ranks=record.ranks, packed=packed)
