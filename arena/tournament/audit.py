"""Replays records and compares every fact in them, and a run's cards with its seed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from arena.games.api import Game
from arena.tournament.seeds import commitment, deal_set_seed


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: in which match, at which deal and trick (from 1), and what."""

    match: str
    what: str
    deal: int | None = None
    trick: int | None = None

    def __str__(self) -> str:
        place = [f"match {self.match}"]
        place += [f"deal {self.deal}"] if self.deal is not None else []
        place += [f"trick {self.trick}"] if self.trick is not None else []
        return f"{', '.join(place)}: {self.what}"


def audit(
    records: Iterable[Mapping[str, Any]], games: Mapping[str, Game], *, seed: str | None = None
) -> Iterator[Finding]:
    """What is wrong with the records. With a tournament's `seed`, also whether it dealt them."""
    seen: set[tuple[str, ...]] = set()
    for number, record in enumerate(records, 1):
        match = str(record.get("match") or f"number {number}")
        one: tuple[str, ...] = (match,)
        if "deal_set" not in record:  # single matches in one file are all called 1
            one = (match, str(record.get("seed")), str(record.get("seats")))
        if one in seen:
            yield Finding(match, "stands twice")
        seen.add(one)
        if not _names_seats(record.get("seats")):
            yield Finding(match, "does not say who sat where (`seats`, with `bot` in each)")
        yield from _replayed(match, record, games)
        if seed is not None:
            yield from _dealt_by(match, record, seed)


def _names_seats(seats: object) -> bool:
    return (
        isinstance(seats, list)
        and bool(seats)
        and all(isinstance(seat, Mapping) and isinstance(seat.get("bot"), str) for seat in seats)
    )


def _replayed(
    match: str, record: Mapping[str, Any], games: Mapping[str, Game]
) -> Iterator[Finding]:
    game = games.get(str(record.get("game")))
    if game is None:
        yield Finding(match, f"no such game: {str(record.get('game'))[:40]!r}")
        return
    replayed = game.replay(record)
    if replayed.error:
        yield Finding(match, replayed.error, replayed.deal, replayed.trick)


def _dealt_by(match: str, record: Mapping[str, Any], seed: str) -> Iterator[Finding]:
    deal_set = record.get("deal_set")
    if not isinstance(deal_set, int):
        yield Finding(match, "does not say its deal set, so its cards cannot be traced to the seed")
    elif record.get("seed") != deal_set_seed(seed, deal_set):
        yield Finding(match, f"the tournament's seed gives other cards for deal set {deal_set}")


def commitment_holds(seed: str, published: str) -> bool:
    """True if the seed is the one whose SHA-256 was published (hex, any case)."""
    return commitment(seed) == published.strip().lower()
