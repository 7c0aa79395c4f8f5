"""The records as files beside the pages: parts of some matches each, loaded when asked for.

The viewer needs one record at a time, a run has thousands: `records-N.js` holds a few dozen in the
order of the schedule, `matches.js` one short row for each, which the list of matches and its
search work on.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.errors import writing
from arena.records import BotId
from arena.report.record_check import CheckedRecord
from arena.report.site.facts import MatchRef
from arena.report.site.script_data import script_of

PART_MATCHES = 50

Row = list[Any]
"""A row of the index: match, set, part, bots (numbers), scores, ranks, number of faults."""


class RecordFiles:
    """Writes records as they come. `keep` bounds the matches that get into the pages.

    Beyond the bound a match still gets in if a fault happened in it, until there are twice as many.
    """

    def __init__(self, folder: Path, keep: int) -> None:
        self._folder = folder
        self._keep = keep
        self._batch: list[Mapping[str, Any]] = []
        self._names: set[str] = set()
        self.parts = 0
        self.matches = 0
        self.bots: dict[BotId, int] = {}
        self._rows: list[Row] = []

    def add(self, record: Mapping[str, Any], checked: CheckedRecord) -> MatchRef:
        """Keeps the record if there is room for it, and says where."""
        self.matches += 1
        room = self._keep if not checked.faults else 2 * self._keep
        is_kept = len(self._rows) < room
        match = self._name(record) if is_kept else str(record.get("match", ""))
        part = self._store(record, match) if is_kept and checked.account else None
        ranks = tuple(record.get("ranks") or _ranks(checked))
        ref = MatchRef(match, part, checked.seats, checked.scores, ranks)
        if is_kept:
            bots = [self.bots.setdefault(bot, len(self.bots)) for bot in checked.seats]
            row = [match, checked.set, part, bots, checked.scores, ranks, len(checked.faults)]
            self._rows.append(row)
        return ref

    @property
    def kept(self) -> int:
        """How many matches are in the pages."""
        return len(self._rows)

    def close(self, labels: Mapping[BotId, str]) -> None:
        """Writes the last part and the index; `labels` are the board's names."""
        self._flush()
        bots = [{"name": labels[bot]} for bot in self.bots]
        self._write("matches", {"bots": bots, "matches": self._rows})

    def write_site(self, pages: Mapping[BotId, str]) -> None:
        """Writes what the viewer must know first: the number of parts, the pages of the bots."""
        keys = {f"{bot.name}\n{bot.version}\n{bot.digest}": page for bot, page in pages.items()}
        self._write("site", {"parts": self.parts, "pages": keys})

    def _name(self, record: Mapping[str, Any]) -> str:
        """The match's name; where records of several runs share one, later ones get a number."""
        given = record.get("match")
        name = base = given if isinstance(given, str) and given else f"#{self.matches}"
        number = 1
        while name in self._names:
            number += 1
            name = f"{base}~{number}"
        self._names.add(name)
        return name

    def _store(self, record: Mapping[str, Any], match: str) -> int:
        self._batch.append({**record, "match": match})
        part = self.parts
        if len(self._batch) >= PART_MATCHES:
            self._flush()
        return part

    def _flush(self) -> None:
        if self._batch:
            self._write(f"records-{self.parts}", self._batch)
            self.parts += 1
            self._batch = []

    def _write(self, name: str, value: object) -> None:
        place = self._folder / f"{name}.js"
        with writing(place):
            place.write_bytes(script_of(name, value))


def _ranks(checked: CheckedRecord) -> list[int]:
    """Ranks (1, 2, 2, 4) of a record that has none."""
    keys = [(not out, score) for out, score in zip(checked.retired, checked.scores, strict=True)]
    return [1 + sum(other > key for other in keys) for key in keys]
