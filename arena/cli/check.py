"""`arena check`: does a bot keep the protocol? Every finding with its evidence and its mend."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from arena import plugins
from arena.cache import cache_folder
from arena.cli import options
from arena.cli.evidence import evidence
from arena.inspect.findings import Finding, Level
from arena.inspect.inspection import NAMES, Inspection, Tell, inspect_bot
from arena.inspect.notebook import Measure
from arena.inspect.subject import prepare_subject
from arena.report.escape import visible, visible_json
from arena.tournament.clock import SteadyClock

STYLES = {Level.ERROR: "bold red", Level.WARNING: "yellow", Level.INFO: "cyan"}


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("check")(check)


@options.taking("game", "variant", "start_ms", "move_ms", "match_ms", "memory_mb", *options.SANDBOX)
def check(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The bot to be inspected.")],
    as_json: options.Json = False,
    *,
    settings: options.Settings,
) -> None:
    """Inspect a bot: play scripted matches and tell every fault with its mend (exit 1 if any)."""
    subject = prepare_subject(bot, settings, plugins.build_manager(), cache=cache_folder())
    with _progress() as tell:
        found = inspect_bot(subject, SteadyClock(), tell)
    if as_json:
        print(visible_json(json.dumps(found.as_dict(), ensure_ascii=False)))
    else:
        show(Console(highlight=False), found)
    if not found.is_fit:
        raise typer.Exit(1)


@contextmanager
def _progress() -> Iterator[Tell]:
    """What is going on, on standard error, if that is a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda text: None
        return
    with console.status("") as status:
        yield lambda text: status.update(text)


def show(console: Console, found: Inspection) -> None:
    """Prints the report of an inspection."""
    with console.capture() as captured:
        _show(console, found)
    for line in captured.get().splitlines():
        console.file.write(f"{line.rstrip()}\n")


def _show(console: Console, found: Inspection) -> None:
    console.print(_headline(found))
    console.print(Text(f"rules {found.variant}, sandbox {found.sandbox}", style="dim"))
    for finding in found.findings:
        console.print()
        _show_finding(console, finding)
    if found.measures:
        console.print("\nmeasured")
        console.print(_measures(found))
    if found.corners:
        console.print(_corners(found))


def _headline(found: Inspection) -> Text:
    bot = found.bot
    verdict, style = ("fit to play", "bold green") if found.is_fit else ("not fit", "bold red")
    counts = [(found.count(level), level.value) for level in (Level.ERROR, Level.WARNING)]
    told = [f"{count} {word}{'s' * (count > 1)}" for count, word in counts if count]
    text = Text(f"{visible(bot.name)} {visible(bot.version)}: ")
    text.append(verdict, style)
    return text.append(f" ({', '.join(told)})" if told else "")


def _show_finding(console: Console, finding: Finding) -> None:
    times = f", {finding.count} times" if finding.count > 1 else ""
    head = Text.assemble(
        (finding.level.value, STYLES[finding.level]),
        (f": {finding.title}", "bold"),
        (f" ({finding.code}{times})", "dim"),
    )
    console.print(head)
    rows = [("where", str(finding.place)), ("what", finding.detail), *finding.evidence()]
    console.print(evidence(rows))


def _measures(found: Inspection) -> Padding:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column()
    grid.add_column(justify="right")
    grid.add_column(style="dim")
    for name, measure in found.measures.items():
        unit = name.rpartition("_")[2].replace("mb", "MB")
        grid.add_row(NAMES[name], f"{_amount(measure.value)} {unit}", _of_limit(measure, unit))
    return Padding(grid, (0, 0, 0, 2), expand=False)


def _amount(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}"


def _of_limit(measure: Measure, unit: str) -> str:
    if not measure.limit:
        return ""
    share = "under 1 %" if measure.share < 0.01 else f"{measure.share * 100:.0f} %"
    return f"{share} of {measure.limit:.0f} {unit}"


def _corners(found: Inspection) -> Text:
    missed = [name for name, reached in found.corners.items() if not reached]
    reached = len(found.corners) - len(missed)
    text = Text(f"corners of the game reached: {reached} of {len(found.corners)}")
    return text.append(f"; not {', '.join(missed)}" if missed and found.is_fit else "")
