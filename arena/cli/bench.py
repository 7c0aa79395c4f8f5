"""`arena bench`: how fast one bot is, what it holds, and whether it still decides as before."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer

from arena.cli import options
from arena.cli.typed import typed_tournament
from arena.report.escape import visible
from arena.tournament.measure import SEED, Measured, measure

FAILED = 1
SHORTEST_SIGNATURE = 8


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("bench")(bench)


@options.taking(
    *options.CARDS,
    "move_ms",
    "memory_mb",
    "sandbox",
    "unsandboxed",
    "toolchain",
    defaults={"seed": SEED},
)
def bench(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The bot; it plays all seats.")],
    matches: Annotated[
        int, typer.Option("--matches", min=1, metavar="N", help="Length of the bench.")
    ] = 10,
    expect: Annotated[
        str | None,
        typer.Option(
            "--expect",
            metavar="SIGNATURE",
            help="Exit 1 unless the signature begins so (at least 8 digits).",
        ),
    ] = None,
    as_json: options.Json = False,
    *,
    settings: options.Settings,
) -> None:
    """Measure a bot: moves a second, memory, reproducibility, and a signature of its decisions.

    The signature stays the same as long as the bot decides the same on the same deals.

    Exit 1 after a fault, or if the signature is not the one expected.
    """
    _refuse_short(expect)
    seeded = settings | {"seed": settings["seed"] or SEED}
    measured = measure(typed_tournament([bot], seeded), matches)
    if as_json:
        print(json.dumps(_as_dict(measured), indent=2))
    else:
        print(_table(measured))
    for fault in measured.faults:
        detail = visible(fault.detail)
        print(f"fault: seat {fault.seat}: {fault.kind.value}: {detail}", file=sys.stderr)
    if measured.faults or not _is_expected(measured, expect):
        raise typer.Exit(FAILED)


def _refuse_short(expect: str | None) -> None:
    if expect is not None and not (
        SHORTEST_SIGNATURE <= len(expect) <= 64 and set(expect) <= set("0123456789abcdef")
    ):
        raise typer.BadParameter(
            "a signature is at least 8 of its hexadecimal digits", param_hint="--expect"
        )


def _is_expected(measured: Measured, expect: str | None) -> bool:
    if expect is None or measured.signature.startswith(expect):
        return True
    print(
        f"the bot decides otherwise: expected {expect}, got {measured.signature[: len(expect)]}",
        file=sys.stderr,
    )
    return False


def _as_dict(measured: Measured) -> dict[str, Any]:
    return {
        "bot": measured.bot,
        "decisions": measured.decisions,
        "moves_per_s": measured.moves_per_s,
        "median_ms": measured.median_ms,
        "slowest_ms": measured.slowest_ms,
        "memory_mb": measured.memory_mb,
        "signature": measured.signature,
        "reproducible": not measured.differs_at,
        "differs_at": measured.differs_at,
        "faults": [fault.as_dict() for fault in measured.faults],
    }


def _table(measured: Measured) -> str:
    memory = f"{measured.memory_mb:.1f} MB" if measured.memory_mb else "not told by this kernel"
    again = f"no: {measured.differs_at} went otherwise the second time"
    rows = (
        ("bot", measured.bot),
        ("moves a second", f"{measured.moves_per_s:,.0f} ({measured.decisions:,} decisions)"),
        ("a move", f"{measured.median_ms:.3f} ms at the median, {measured.slowest_ms:.1f} at most"),
        ("memory", f"{memory} at most in one seat"),
        ("reproducible", again if measured.differs_at else "yes"),
        ("signature", measured.signature),
    )
    return "\n".join(f"{label:<14}  {value}" for label, value in rows)
