"""`arena export`: a run's records as JSON lines."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Annotated, BinaryIO

import orjson
import typer

from arena.errors import ConfigError
from arena.store import RunStore

TIMING_KEYS = ("started", "timing")
"""What differs between two runs that played the same."""


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("export")(export)


def export(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Instead of stdout.")
    ] = None,
    timing: Annotated[
        bool,
        typer.Option("--timing/--no-timing", help="Keep or drop what the clock decided."),
    ] = True,
) -> None:
    """Write every record of a run, one JSON object a line, in the order of the schedule."""
    with RunStore.read(folder) as store, _target(out) as target:
        for line in store.lines():
            target.write((line if timing else _without_timing(line)) + b"\n")


def _without_timing(line: bytes) -> bytes:
    record = orjson.loads(line)
    kept = {key: value for key, value in record.items() if key not in TIMING_KEYS}
    for fault in kept.get("faults", ()):
        fault.pop("used_ms", None)
    return orjson.dumps(kept)


@contextmanager
def _target(out: Path | None) -> Iterator[BinaryIO]:
    try:
        with nullcontext(sys.stdout.buffer) if out is None else out.open("wb") as target:
            yield target
    except BrokenPipeError:
        raise
    except OSError as error:
        raise ConfigError(
            f"cannot be written: {error.strerror}", where=str(out or "stdout")
        ) from error
