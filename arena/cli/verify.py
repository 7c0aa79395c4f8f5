"""`arena verify`: replays and audits every record of a run or of a file."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Annotated, Any

import typer

from arena import plugins
from arena.cli import options
from arena.errors import ConfigError
from arena.games.api import has_chance
from arena.report.escape import visible
from arena.report.record_source import header_of, whole_records
from arena.store import RunStore
from arena.tournament.audit import UNCHECKABLE, Finding, audit, commitment_holds
from arena.tournament.audit_run import RunAudit
from arena.tournament.seeds import is_seed
from arena.words import counted

SHOWN = 20
"""Findings printed in full; the others are counted."""


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("verify")(verify)


def verify(
    path: options.Records,
    seed: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="The tournament's revealed seed: check every deal."),
    ] = None,
    commitment: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="What was published beforehand: SHA-256 of the seed."),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Replay every record by the rules and compare each card, call, winner, score and dealer."""
    manager = plugins.build_manager()
    games = plugins.games(manager)
    if seed is not None and not is_seed(seed):
        raise ConfigError("a seed is some text, in UTF-8", where="--seed")
    header = header_of(path)
    known = seed or header.get("seed")
    game = games.get(str(header.get("game")))
    chance = game is None or has_chance(game)
    findings = list(_promise(known, commitment))
    notes: list[str] = []
    if path.is_dir():
        with RunStore.read(path) as store:
            run = RunAudit(store, games, plugins.schedules(manager))
            findings += run.findings(seed)
            count, notes = run.records, run.notes
    else:
        records = _Counted(whole_records(path))
        findings += audit(records, games, seed=known)
        count = records.count
    if as_json:
        print(json.dumps(_as_json(findings, count, notes)))
    else:
        _tell(findings, count, traced=known is not None and chance, notes=notes)
    if findings:
        raise typer.Exit(1)


class _Counted:
    """Counts what is iterated over."""

    def __init__(self, records: Iterator[Mapping[str, Any]]) -> None:
        self.count = 0
        self._records = records

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        for record in self._records:
            self.count += 1
            yield record


def _promise(seed: str | None, commitment: str | None) -> Iterator[Finding]:
    if commitment is None:
        return
    if seed is None:
        raise ConfigError("--commitment needs the seed", mend="give --seed or a run folder")
    if not commitment_holds(seed, commitment):
        yield Finding("", "the seed is not the one that the commitment was made for")


def _as_json(findings: list[Finding], records: int, notes: list[str]) -> dict[str, Any]:
    return {
        "records": records,
        "ok": not findings,
        "findings": [
            {"match": f.match, "deal": f.deal, "trick": f.trick, "what": f.what} for f in findings
        ],
        "notes": notes,
        "unchecked": list(UNCHECKABLE),
    }


def _tell(findings: list[Finding], records: int, *, traced: bool, notes: list[str]) -> None:
    for finding in islice(findings, SHOWN):
        print(visible(str(finding)), file=sys.stderr)
    if len(findings) > SHOWN:
        print(f"and {len(findings) - SHOWN} more", file=sys.stderr)
    source = " and their deals derive from the seed" if traced else ""
    if not records:
        print("no records")
    elif not findings:
        print(f"{counted(records, 'record keeps', 'records keep')} the rules{source}")
    else:
        print(f"{counted(len(findings), 'fault')} found in {counted(records, 'record')}")
    for note in notes:
        print(visible(note))
    print("no file of records can show:")
    for each in UNCHECKABLE:
        print(f"  {each}")
