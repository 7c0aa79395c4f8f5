"""A gate for the tests of a bot: it must be fit to play.

def test_my_bot_keeps_the_protocol():
    check_bot("path/to/my-bot")
"""

from __future__ import annotations

from pathlib import Path

from arena import plugins
from arena.cache import cache_folder
from arena.inspect.findings import Level
from arena.inspect.inspection import Inspection, inspect_bot
from arena.inspect.subject import prepare_subject
from arena.tournament.clock import SteadyClock


def check_bot(
    bot: str | Path,
    *,
    variant: str | None = None,
    start_ms: int | None = None,
    move_ms: int | None = None,
    match_ms: int | None = None,
    memory_mb: int | None = None,
    sandbox: str | None = None,
    warnings: bool = False,
) -> Inspection:
    """Nothing that a run would fault was found by `arena check`; its whole report comes back.

    `bot` is given as on the command line; with `warnings` a warning fails, too. Raises
    AssertionError with every such finding, its evidence and its mend, and ArenaError if the bot
    cannot be started at all. Call it from the main thread.
    """
    settings = {
        "game.variant": variant,
        "limits.start_ms": start_ms,
        "limits.move_ms": move_ms,
        "limits.match_ms": match_ms,
        "limits.memory_mb": memory_mb,
        "sandbox.name": sandbox,
    }
    cache = cache_folder()
    subject = prepare_subject(str(bot), settings, plugins.build_manager(), cache=cache)
    found = inspect_bot(subject, SteadyClock())
    levels = {Level.ERROR, Level.WARNING} if warnings else {Level.ERROR}
    complaints = [str(finding) for finding in found.findings if finding.level in levels]
    if complaints:
        raise AssertionError("\n".join((f"{bot}:", *complaints)))
    return found
