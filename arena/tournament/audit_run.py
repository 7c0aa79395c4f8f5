"""Compares a run folder with the schedule that its header promises, column by column.

Theory of operation. From schedule, segments and seed in the header follow every match that the run
has: its number, its name, its cards and who sits where. The rows of the folder are read once, in
the order of their numbers, beside that list, so that memory stays flat. A board reads briefs, a
standing the columns of bots and ranks: each must say what its record says. Which bots were
withdrawn follows from the faults of the first orbits, and these decide which matches are void.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from arena.bounded import parse_json
from arena.errors import ArenaError
from arena.games.api import Game
from arena.records import brief_of
from arena.schedule.api import Schedule
from arena.store import Row, RunStore
from arena.tables import FOUR
from arena.tournament.audit import Finding, audit_record, faults_of, promised_seats
from arena.tournament.audit_header import Header, UnfitHeaderError, read_header, schedule_of
from arena.tournament.audit_trial import Trial
from arena.tournament.plan import MatchSpec, count_matches, match_specs
from arena.tournament.seeds import commitment
from arena.words import counted

MOST_MISSING = 1_000_000
"""So many missing matches are counted one by one; a header may promise any number."""

_NAMED = 5


class RunAudit:
    """Reads a run folder once. `notes` tells what is no fault, `records` how many were read."""

    def __init__(
        self, store: RunStore, games: Mapping[str, Game], schedules: Mapping[str, Schedule]
    ) -> None:
        self.notes: list[str] = []
        self.records = 0
        self._store = store
        self._games = games
        self._schedules = schedules
        self._trial = Trial()
        self._missing: list[str] = []
        self._missing_count = 0

    def findings(self, seed: str | None = None) -> Iterator[Finding]:
        """What is wrong with the run. A `seed` that was revealed must be the one that it has."""
        told = self._store.header()
        try:
            header = read_header(told)
            specs, total = self._specs(told, header)
        except (UnfitHeaderError, ArenaError) as error:
            yield Finding("", f"the run's header: {error}")
            return
        if told.get("commitment", commitment(header.seed)) != commitment(header.seed):
            yield Finding("", "the run's header: the commitment was made for another seed")
        if seed not in (None, header.seed):
            yield Finding("", "the tournament's seed is not the one in the run's header")
        yield from self._rows(header, specs)
        yield from self._whole(header, specs)
        for number, _ in self._store.voids():
            if type(number) is not int or not 0 <= number < total:
                yield Finding("", f"a void attempt at match number {number!r}, which there is not")

    def _specs(self, told: Mapping[str, Any], header: Header) -> tuple[Iterator[MatchSpec], int]:
        schedule = schedule_of(told, header, self._schedules)
        game = self._games.get(header.game)
        seats = promised_seats(game, header.variant) if game else FOUR
        total = count_matches(schedule, header.segments, seats)
        return match_specs(schedule, header.segments, header.seed, seats), total

    # The rows, beside the schedule.

    def _rows(self, header: Header, specs: Iterator[MatchSpec]) -> Iterator[Finding]:
        self._trial = Trial(header.trial)
        for row in self._store.rows():
            self.records += 1
            spec = self._spec_of(row.number, specs)
            if spec is None:
                name = str(row.match)[:40]
                yield Finding(name, f"has number {row.number}, which the schedule does not have")
                continue
            record = _object(row.record)
            if record is None:
                yield Finding(spec.match, "its record is no JSON object")
                continue
            yield from self._trial.before(spec)
            yield from (Finding(spec.match, what) for what in _columns(row, spec, record))
            yield from (Finding(spec.match, what) for what in _promised(header, spec, record))
            yield from audit_record(spec.match, record, self._games)
            yield from self._trial.judge(header, spec, record)
        if (hidden := self._store.count() - self.records) > 0:
            yield Finding("", f"{counted(hidden, 'row')} with numbers that no match can have")

    def _spec_of(self, number: int, specs: Iterator[MatchSpec]) -> MatchSpec | None:
        """The match of that number; those that the schedule has before it are missing."""
        for spec in specs:
            if spec.number == number:
                return spec
            self._miss(spec)
            if self._missing_count >= MOST_MISSING:
                break
        return None

    def _miss(self, spec: MatchSpec) -> None:
        if not self._trial.leaves_out(spec):
            self._missing_count += 1
            if len(self._missing) < _NAMED:
                self._missing.append(spec.match)

    def _whole(self, header: Header, specs: Iterator[MatchSpec]) -> Iterator[Finding]:
        """Whether every match is there. An older run does not say whether it was finished: it may
        lack matches at its end, but none before one that it has."""
        holes = self._missing_count
        for spec in specs:
            if self._missing_count >= MOST_MISSING:
                break
            self._miss(spec)
        yield from self._trial.end()
        if not (missing := self._missing_count):
            return
        more = " or more" if missing >= MOST_MISSING else ""
        named = ", ".join(self._missing) + (", …" if missing > len(self._missing) else "")
        what = f"{missing:,}{more} of the schedule's matches are missing: {named}"
        if header.finished or (header.finished is None and holes):
            yield Finding("", what)
        else:
            self.notes.append(f"this run is not finished: {what}")


# One row ----------------------------------------------------------------------------------------


def _columns(row: Row, spec: MatchSpec, record: Mapping[str, Any]) -> Iterator[str]:
    """What the database says beside the record, and the record does not bear out."""
    if row.match != spec.match:
        yield f"is stored under another name: {str(row.match)[:40]!r}"
    if row.bots != " ".join(map(str, spec.seats)):
        yield "its column `bots` names others than sat there"
    ranks = record.get("ranks")
    if isinstance(ranks, list) and row.ranks != " ".join(map(str, ranks)):
        yield "its column `ranks` is not what its record says"
    if row.brief is None:
        return
    try:
        same = _same(_object(row.brief), brief_of(record))
    except (KeyError, TypeError, AttributeError):
        return  # no record that could have a brief: the replay says what is wrong with it
    if not same:
        yield "its brief, which boards read, is not what its record says"


def _promised(header: Header, spec: MatchSpec, record: Mapping[str, Any]) -> Iterator[str]:
    """What the record says otherwise than the header and the schedule."""
    wanted = {
        "match": spec.match,
        "set": spec.set,
        "deal_set": spec.deal_set,
        "seed": spec.seed,
        "game": header.game,
        "variant": header.variant,
        "rules": header.rules,
    }
    for key, value in wanted.items():
        if not _same(record.get(key), value):
            yield f"its `{key}` is not what the run's schedule and header say"
    seats = [header.bots[bot] for bot in spec.seats]
    if not _same(record.get("seats"), seats):
        names = ", ".join(str(seat["bot"]) for seat in seats)
        yield f"others sit there than the schedule seats ({names})"
    faults, timing = faults_of(record), record.get("timing")
    if isinstance(timing, list) and len(timing) == len(spec.seats):
        yield from _beyond_limits(header.limits, faults, timing)


def _beyond_limits(
    limits: Mapping[str, Any], faults: list[Mapping[str, Any]], timing: list[Any]
) -> Iterator[str]:
    """Times and forgiven faults that the run's limits do not allow."""
    move, late, strikes = (limits.get(key, 0) for key in ("move_ms", "late_ms", "strikes"))
    if not all(type(each) is int for each in (move, late, strikes)):
        return
    for seat, told in enumerate(timing):
        own = [fault for fault in faults if fault.get("seat") == seat]
        slowest = told.get("slowest_ms") if isinstance(told, Mapping) else None
        if not own and isinstance(slowest, int | float) and slowest > move + late + 0.01:
            yield f"seat {seat} took {slowest} ms without a fault, and {move + late} are allowed"
        forgiven = sum(fault.get("retired") is False for fault in own)
        if forgiven > strikes:
            yield f"seat {seat} was forgiven {forgiven} faults, and the run forgives {strikes}"


def _same(found: object, wanted: object) -> bool:
    """Equal as JSON, whatever the order of keys: true is not 1."""
    return orjson.dumps(found, option=orjson.OPT_SORT_KEYS) == orjson.dumps(
        wanted, option=orjson.OPT_SORT_KEYS
    )


def _object(text: bytes) -> dict[str, Any] | None:
    try:
        value = parse_json(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
