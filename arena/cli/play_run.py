"""What `arena run` and `arena demo` share: play a tournament into its folder, on screen."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from types import FrameType

import typer
from rich.console import Console

from arena.cli.first_faults import FirstFaults
from arena.cli.output import write_text
from arena.cli.progress import shown
from arena.cli.streams import ReaderLeftError
from arena.games.api import has_chance
from arena.sandbox.choice import UNSANDBOXED
from arena.store import RunStore, refuse_foreign
from arena.tournament.folder import damaged_header, open_run
from arena.tournament.plan import Outcome
from arena.tournament.prepare import Tournament
from arena.tournament.runner import Listener, Stop, Summary, run
from arena.tournament.seeds import is_short
from arena.words import counted

INTERRUPTED = 130

COMMITMENT, SEED = "commitment.txt", "seed.txt"
"""Files of a run that publishes its seed."""

Serve = Callable[[Tournament, RunStore], AbstractContextManager[Sequence[Listener]]]
"""Shows the run to others while it goes on: gives who must hear of every outcome."""


def seed_in(folder: Path, leaves: Iterable[str] = ()) -> str | None:
    """The seed of the run that is in the folder, if there is one to go on with.

    `leaves` are the files that the run will leave there: a new one replaces nothing (StoreError).
    """
    refuse_foreign(folder, leaves)
    if not RunStore.is_run(folder):
        return None
    with RunStore.read(folder) as store:
        if "seed" not in (header := store.header()):
            raise damaged_header(folder, "it names no seed")
        return str(header["seed"])


def announce(tournament: Tournament, folder: Path) -> None:
    """Says on stderr what is about to be played, by whom and how they are shut in."""
    console = Console(stderr=True, highlight=False, soft_wrap=True, markup=False)
    plan = tournament.plan
    matches = counted(tournament.total, "match", "matches")
    deals = counted(tournament.game.deals_of(plan.variant), "deal")
    console.print(
        f"{counted(len(plan.bots), 'bot')}, {matches} of {deals}, variant {plan.variant['name']}, "
        f"sandbox {plan.sandbox}, into {folder}"
    )
    if tournament.publish_seed:
        console.print(f"commitment to the seed (SHA-256): {tournament.commitment}")
    for line in _warnings(tournament):
        console.print(line, style="yellow")


def _warnings(tournament: Tournament) -> Iterator[str]:
    for out in tournament.left_out:
        yield f"left out: {out.bot}: {out.reason}"
    allowed_mb = tournament.plan.limits.scratch_mb
    for bot in tournament.plan.bots:
        if bot.scratch_mb > allowed_mb:
            yield (
                f"warning: {bot.name} asks for {bot.scratch_mb} MB of writable space and gets "
                f"{allowed_mb} (limits.scratch_mb)"
            )
    cores = len(os.sched_getaffinity(0))
    if tournament.workers > cores and not tournament.plan.scheduler:
        yield (
            f"warning: {tournament.workers} tables share {counted(cores, 'core')}: bots wait for "
            f"each other, and may be late for it; --workers {cores} gives each table one of its own"
        )
    if tournament.plan.sandbox == UNSANDBOXED:
        yield "warning: bots run without a sandbox"
    if is_short(tournament.seed) and has_chance(tournament.game):
        yield "warning: so short a seed could be found by a bot that tries: for tests only"


def play_into(
    tournament: Tournament,
    folder: Path,
    *,
    again: str,
    events: bool = False,
    extend: bool | None = None,
    serve: Serve | None = None,
) -> Summary:
    """Plays what is missing in the folder. `again` is the command that goes on after Ctrl-C."""
    faults = FirstFaults()
    with (
        open_run(tournament, folder, extend=extend) as (store, whole),
        (serve or _unserved)(whole, store) as spectators,
        shown(whole, store, events=events) as display,
        graceful() as stop,
    ):
        listener = Together([display, faults, *spectators])
        if tournament.publish_seed:
            write_text(f"{tournament.commitment}\n", folder / COMMITMENT)
        try:
            summary = run(whole, store, listener=listener, stop=stop)
        except (KeyboardInterrupt, ReaderLeftError):
            stop.asked = True
            summary = Summary(store.count(), whole.total)
    if not events:
        faults.show(Console(stderr=True, highlight=False))
    if stop.asked and not summary.complete:
        print(
            f"stopped at {summary.done:,} of {counted(summary.total, 'match', 'matches')}; "
            f"to go on: {again}",
            file=sys.stderr,
        )
        raise typer.Exit(INTERRUPTED)
    if tournament.publish_seed:
        write_text(f"{tournament.seed}\n", folder / SEED)
    return summary


class Together:
    """Tells several listeners."""

    def __init__(self, listeners: Sequence[Listener]) -> None:
        self._listeners = listeners

    def finished(self, outcome: Outcome) -> None:
        for listener in self._listeners:
            listener.finished(outcome)

    def void(self, outcome: Outcome) -> None:
        for listener in self._listeners:
            listener.void(outcome)


@contextmanager
def _unserved(tournament: Tournament, store: RunStore) -> Iterator[Sequence[Listener]]:
    yield []


@contextmanager
def graceful() -> Iterator[Stop]:
    """Ctrl-C (or SIGTERM) once: finish the matches in flight. Twice: stop at once."""
    stop = Stop()
    at_once = False

    def ask(number: int, frame: FrameType | None) -> None:
        nonlocal at_once
        if at_once:
            return  # we are stopping already, and what is cleaned up now must not be interrupted
        if stop.asked:
            at_once = True
            raise KeyboardInterrupt
        stop.asked = True
        # Not by `print`: the signal may have come in the midst of another one.
        with suppress(OSError):
            os.write(2, b"\nfinishing the matches in flight; once more to stop at once\n")

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
