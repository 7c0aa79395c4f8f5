"""`arena export`: a run's records as JSON lines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import orjson
import typer

from arena.cli import options
from arena.cli.output import opened
from arena.store import RunStore

TIMING_KEYS = ("started", "timing")
"""What differs between two runs that played the same."""


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("export")(export)


def export(
    folder: Annotated[Path, typer.Argument(metavar="RUN", readable=False, help="A run folder.")],
    out: options.OutFile = None,
    timing: Annotated[
        bool,
        typer.Option("--timing/--no-timing", help="Keep or drop what the clock decided."),
    ] = True,
) -> None:
    """Write every record of a run, one JSON object a line, in the order of the schedule."""
    with RunStore.read(folder) as store, opened(out) as target:
        for line in store.lines():
            target.write((line if timing else _without_timing(line)) + b"\n")


def _without_timing(line: bytes) -> bytes:
    record = orjson.loads(line)
    kept = {key: value for key, value in record.items() if key not in TIMING_KEYS}
    for fault in kept.get("faults", ()):
        fault.pop("used_ms", None)
    return orjson.dumps(kept)
