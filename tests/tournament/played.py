"""Tournaments of real bots in the real sandbox, small enough for tests: made, played, and read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from arena.store import RunStore
from arena.tournament.config import check_tournament
from arena.tournament.folder import open_run
from arena.tournament.plan import Outcome
from arena.tournament.prepare import Tournament, prepare
from arena.tournament.runner import Stop, Summary, run

BOTS = [f"b{number}=random" for number in range(5)]


def make(manager, cache: Path, relative_to: Path = Path(), **changes: Any) -> Tournament:
    """A tournament of five bots, two orbits; keywords change sections of its file."""
    content = {"bots": BOTS, "seed": "7", "schedule": {"orbits": 2}} | changes
    # One worker, unless a test is about them: to import the package is most of what a run costs.
    content["run"] = {"workers": 1} | content.get("run", {})
    file = check_tournament(content, where="test")
    return prepare(file, manager, cache=cache, relative_to=relative_to)


class Heard:
    """A listener that remembers, and does something after each match."""

    def __init__(self, then: Callable[[], None] = lambda: None) -> None:
        self.matches: list[str] = []
        self.voids: list[str] = []
        self._then = then

    def finished(self, outcome: Outcome) -> None:
        self.matches.append(outcome.spec.match)
        self._then()

    def void(self, outcome: Outcome) -> None:
        self.voids.append(outcome.void)


def play(
    tournament: Tournament,
    folder: Path,
    listener: Heard | None = None,
    stop: Stop | None = None,
    *,
    extend: bool | None = False,
) -> Summary:
    """What is missing in the folder is played."""
    with open_run(tournament, folder, extend=extend) as (store, whole):
        return run(whole, store, listener=listener or Heard(), stop=stop)


def played_in(folder: Path) -> list[dict]:
    """The records of a run folder without what the clock decided."""
    with RunStore.read(folder) as store:
        records = list(store.records())
    for record in records:
        del record["started"], record["timing"]
    return records
