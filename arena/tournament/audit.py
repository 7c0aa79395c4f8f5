"""Replays records and compares every fact in them, and a run's cards with its seed.

What a single record cannot tell, a run folder does: audit_run.py.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import orjson

from arena.errors import ArenaError
from arena.games.api import Game, seats_of
from arena.tournament.audit_conduct import audit_conduct
from arena.tournament.seeds import commitment, deal_set_seed


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: in which match, at which deal and trick (from 1), and what."""

    match: str
    what: str
    deal: int | None = None
    trick: int | None = None

    def __str__(self) -> str:
        place = [f"match {self.match}"] if self.match else []
        place += [f"deal {self.deal}"] if self.deal is not None else []
        place += [f"trick {self.trick}"] if self.trick is not None else []
        return f"{', '.join(place)}: {self.what}" if place else self.what


UNCHECKABLE = (
    "that the bots named here really took these decisions",
    "that the times, and faults without a trace in the play, are those that were measured",
    "that nobody who holds the seed played the matches again and replaced them all",
)
"""What no file of records can prove, whoever reads it."""


def audit(
    records: Iterable[Mapping[str, Any]], games: Mapping[str, Game], *, seed: str | None = None
) -> Iterator[Finding]:
    """What is wrong with the records. With a tournament's `seed`, also whether it dealt them."""
    seen: set[bytes] = set()
    cards: dict[str, bytes] = {}
    for number, record in enumerate(records, 1):
        match = str(record.get("match") or f"number {number}")
        yield from _twice(match, record, seen)
        yield from _other_cards(match, record, cards)
        yield from audit_record(match, record, games)
        yield from _void_for_nothing(match, record)
        if seed is not None:
            yield from _dealt_by(match, record, seed)


def audit_record(
    match: str, record: Mapping[str, Any], games: Mapping[str, Game]
) -> Iterator[Finding]:
    """What is wrong with one record, taken by itself."""
    if not _names_seats(record.get("seats")):
        yield Finding(match, "does not say who sat where (`seats`, with `bot` in each)")
    game = games.get(str(record.get("game")))
    if game is None:
        yield Finding(match, f"no such game: {str(record.get('game'))[:40]!r}")
        return
    seats, wanted = record.get("seats"), promised_seats(game, record.get("variant"))
    if isinstance(seats, list) and seats and len(seats) != wanted:
        yield Finding(match, f"names {len(seats)} seats, and {game.name} has {wanted}")
    replayed = game.replay(record)
    if replayed.error:
        yield Finding(match, replayed.error, replayed.deal, replayed.trick)
    elif "arena" in record:  # other programs may count and tell otherwise
        yield from (Finding(match, what) for what in audit_conduct(record, replayed.asked))


def promised_seats(game: Game, variant: object) -> int:
    """How many seats the game has under a variant that comes from a file, whatever it holds."""
    if isinstance(variant, Mapping) and isinstance(name := variant.get("name"), str):
        with suppress(ArenaError, TypeError, ValueError, KeyError):
            return seats_of(game, game.variant(name, variant))
    return game.seats


def _names_seats(seats: object) -> bool:
    return (
        isinstance(seats, list)
        and bool(seats)
        and all(isinstance(seat, Mapping) and isinstance(seat.get("bot"), str) for seat in seats)
    )


def _twice(match: str, record: Mapping[str, Any], seen: set[bytes]) -> Iterator[Finding]:
    """A match that was met before, by its name or, whatever its name, by what happened in it."""
    name: list[Any] = [match]
    if "deal_set" not in record:  # single matches in one file are all called 1
        name += [record.get("seed"), record.get("seats")]
    content = [record.get("seed"), record.get("seats"), record.get("deals")]
    named, same = _digest(name), _digest(content)
    if named in seen:
        yield Finding(match, "stands twice")
    elif same in seen:
        yield Finding(match, "stands twice, once under another name: same seats, same play")
    seen.update((named, same))


def _other_cards(
    match: str, record: Mapping[str, Any], cards: dict[str, bytes]
) -> Iterator[Finding]:
    """Whether a deal set is played on the same cards as before."""
    name, seed = record.get("set"), record.get("seed")
    if isinstance(name, str) and name and isinstance(seed, str) and seed:
        dealt = _digest(seed)
        if cards.setdefault(name, dealt) != dealt:
            yield Finding(match, f"has other cards than the rest of its deal set {name[:40]!r}")


def _void_for_nothing(match: str, record: Mapping[str, Any]) -> Iterator[Finding]:
    if record.get("void") and not record.get("faults"):
        yield Finding(match, "is marked void, and no fault in it says why")


def faults_of(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The faults of a record, as far as they are sound."""
    faults = record.get("faults")
    if not isinstance(faults, list):
        return []
    return [fault for fault in faults if isinstance(fault, Mapping)]


def _digest(value: object) -> bytes:
    return hashlib.blake2b(orjson.dumps(value), digest_size=16).digest()


def _dealt_by(match: str, record: Mapping[str, Any], seed: str) -> Iterator[Finding]:
    deal_set = record.get("deal_set")
    if not isinstance(deal_set, int):
        yield Finding(match, "does not say its deal set, so its cards cannot be traced to the seed")
    elif record.get("seed") != deal_set_seed(seed, deal_set):
        yield Finding(match, f"the tournament's seed gives other cards for deal set {deal_set}")


def commitment_holds(seed: str, published: str) -> bool:
    """True if the seed is the one whose SHA-256 was published (hex, any case)."""
    return commitment(seed) == published.strip().lower()
