"""Options that several commands share, declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import platformdirs
import typer

from arena.errors import ConfigError

_LIMITS = "Limits"
_SANDBOX = "Sandbox"


def _limit(flag: str, help_: str, least: int = 1) -> Any:
    return typer.Option(flag, min=least, help=help_, rich_help_panel=_LIMITS, metavar="N")


Deals = Annotated[
    int | None, typer.Option("--deals", min=1, metavar="N", help="Deals a match (variant's own).")
]
Seed = Annotated[
    str | None,
    typer.Option("--seed", metavar="TEXT", help="Decides every card (128 random bits)."),
]
Variant = Annotated[
    str | None, typer.Option("--variant", metavar="NAME", help="Rules; see `arena variants`.")
]
StartMs = Annotated[int | None, _limit("--start-ms", "Time to start and greet (10000).")]
MoveMs = Annotated[int | None, _limit("--move-ms", "Time for one decision (1000).")]
MatchMs = Annotated[int | None, _limit("--match-ms", "Time for all decisions (15000 a deal).")]
MemoryMb = Annotated[int | None, _limit("--memory-mb", "Memory of one bot (512).", 16)]
Strikes = Annotated[int | None, _limit("--strikes", "Faults forgiven in a match (0).", 0)]
SandboxName = Annotated[
    str | None,
    typer.Option(
        "--sandbox",
        metavar="NAME",
        help="Provider; `auto` takes the best one here.",
        rich_help_panel=_SANDBOX,
    ),
]
Unsandboxed = Annotated[
    bool,
    typer.Option(
        "--unsandboxed",
        help="Run bots without any sandbox: only code that you trust.",
        rich_help_panel=_SANDBOX,
    ),
]
Require = Annotated[
    list[str] | None,
    typer.Option(
        "--require",
        metavar="CAPABILITY=LEVEL",
        help="Refuse to run without, e.g. memory=enforced.",
        rich_help_panel=_SANDBOX,
    ),
]


def settings(
    *,
    seed: str | None = None,
    deals: int | None = None,
    variant: str | None = None,
    start_ms: int | None = None,
    move_ms: int | None = None,
    match_ms: int | None = None,
    memory_mb: int | None = None,
    strikes: int | None = None,
    sandbox: str | None = None,
    unsandboxed: bool = False,
    require: list[str] | None = None,
) -> dict[str, Any]:
    """The shared options as changes to a tournament file (see `config.override`)."""
    if unsandboxed and sandbox not in (None, "none"):
        raise ConfigError("--unsandboxed and --sandbox contradict each other", mend="give one")
    return {
        "seed": seed,
        "game.deals": deals,
        "game.variant": variant,
        "limits.start_ms": start_ms,
        "limits.move_ms": move_ms,
        "limits.match_ms": match_ms,
        "limits.memory_mb": memory_mb,
        "limits.strikes": strikes,
        "sandbox.name": "none" if unsandboxed else sandbox,
        "sandbox.require": dict(map(_requirement, require)) if require else None,
    }


def _requirement(text: str) -> tuple[str, str]:
    name, equals, level = text.partition("=")
    if not (name and equals and level):
        raise ConfigError(
            f"{text!r} is no requirement", where="--require", mend="write CAPABILITY=LEVEL"
        )
    return name, level


def cache_folder() -> Path:
    """Where built bots and capability reports are remembered between runs."""
    return platformdirs.user_cache_path("callbreak-arena")
