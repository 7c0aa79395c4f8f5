"""`arena regress`: is the candidate better than, or at least no worse than, the base?"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from arena import plugins
from arena.bots.resolve import refuse_inside
from arena.cache import cache_folder
from arena.cli import options
from arena.cli.called import command_line
from arena.cli.live import live
from arena.cli.output import STDOUT, refuse_unwritable, write_text
from arena.cli.play_run import INTERRUPTED, graceful, seed_in
from arena.errors import ConfigError
from arena.regress.reports import as_json, expected, junit, markdown, text
from arena.regress.summary import Summary
from arena.regress.terms import MAX_SETS, PRESETS, Terms
from arena.tournament.folder import TRANSCRIPTS
from arena.tournament.regression import (
    DEALS,
    Request,
    play_regression,
    prepare_regression,
    with_revisions,
)

_TEST, _OUTPUT = "Test", "Output"


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("regress")(regress)


def _term(flag: str, help_: str) -> Any:
    return typer.Option(flag, help=help_, rich_help_panel=_TEST, metavar="X")


def _file(flag: str, help_: str) -> Any:
    return typer.Option(flag, help=help_, rich_help_panel=_OUTPUT, metavar="FILE")


@options.taking(
    *options.CARDS,
    "workers",
    "executor",
    "set",
    *options.LIMITS,
    *options.SANDBOX,
    defaults={"deals": str(DEALS)},
)
def regress(
    base: Annotated[str, typer.Option(metavar="BOT", help="The bot as it was.")],
    candidate: Annotated[str, typer.Option(metavar="BOT", help="The bot as it is to be.")],
    gain: Annotated[
        bool, typer.Option("--gain", help="Must be better: m0 0, m1 0.1.", rich_help_panel=_TEST)
    ] = False,
    no_regression: Annotated[
        bool,
        typer.Option(
            "--no-regression",
            help="Must not be worse: m0 -0.1, m1 0 (the default).",
            rich_help_panel=_TEST,
        ),
    ] = False,
    m0: Annotated[float | None, _term("--m0", "H0: better by X points a deal.")] = None,
    m1: Annotated[float | None, _term("--m1", "H1: better by X points a deal.")] = None,
    alpha: Annotated[float, _term("--alpha", "Chance to accept under H0.")] = 0.05,
    beta: Annotated[float, _term("--beta", "Chance to reject under H1.")] = 0.05,
    max_sets: Annotated[
        int,
        typer.Option(
            "--max-sets", metavar="N", help="Deal sets, then undecided.", rich_help_panel=_TEST
        ),
    ] = MAX_SETS,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Guard against losses of any size that a game allows; takes more sets.",
            rich_help_panel=_TEST,
        ),
    ] = False,
    field: Annotated[
        list[str] | None,
        typer.Option(
            "--field",
            metavar="BOT",
            help="Play both against these bots instead of each other; may be repeated.",
        ),
    ] = None,
    time_tolerance: Annotated[
        float | None,
        _term("--time-tolerance", "Fail if a median move takes X times base's, e.g. 1.2."),
    ] = None,
    json_file: Annotated[str | None, _file("--json", "Verdict as JSON (- is stdout).")] = None,
    junit_file: Annotated[str | None, _file("--junit", "Verdict as JUnit XML.")] = None,
    markdown_file: Annotated[
        str | None, _file("--markdown", "Verdict as Markdown, for a job summary.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="DIR", readable=False, help="Run folder; a test goes on from it."
        ),
    ] = None,
    *,
    settings: options.Settings,
) -> None:
    """Test a change: exit 0 accepted, 1 rejected (or faulty, broken, slower), 3 undecided.

    A BOT may also be git:REV or git:REV:PATH in the repository of the current folder.
    """
    low, high = _hypotheses(gain, no_regression, m0, m1)
    terms = Terms(low, high, alpha=alpha, beta=beta, max_sets=max_sets, strict=strict)
    targets = _targets(json_file, junit_file, markdown_file)
    if time_tolerance is not None and not time_tolerance > 0:
        raise ConfigError(f"must be above 0, not {time_tolerance:g}", where="--time-tolerance")
    request = Request(
        candidate=candidate,
        base=base,
        terms=terms,
        others=tuple(field or ()),
        time_tolerance=time_tolerance,
        settings=tuple(settings.items()),
    )
    _refuse_inside((candidate, base, *request.others), targets, out)
    with with_revisions(request, repository=Path()) as ready:
        summary = _tested(ready, out)
    _report(summary, targets)
    raise typer.Exit(summary.ending.exit_status)


def _hypotheses(
    gain: bool, no_regression: bool, m0: float | None, m1: float | None
) -> tuple[float, float]:
    if gain and no_regression:
        raise ConfigError("--gain and --no-regression contradict each other", mend="give one")
    low, high = PRESETS["gain" if gain else "no-regression"]
    return low if m0 is None else m0, high if m1 is None else m1


def _tested(request: Request, out: Path | None) -> Summary:
    leaves = [TRANSCRIPTS] if dict(request.settings).get("run.transcripts") else []
    ready = prepare_regression(
        request,
        plugins.build_manager(),
        cache=cache_folder(),
        seed=seed_in(out, leaves) if out else None,
    )
    if isinstance(ready, Summary):
        return ready
    setting = ready.setting
    print(f"{setting.candidate} against {setting.base}", file=sys.stderr)
    print(expected(setting.terms), file=sys.stderr)
    with live(setting.terms) as taken, graceful() as stop:
        summary = play_regression(ready, out, stop=stop, taken=taken)
    if summary is None:
        again = f"; to go on: {command_line()}" if out else ""
        print(f"stopped before the verdict{again}", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)
    return summary


Target = tuple[str, Callable[[Summary], str]]


def _refuse_inside(bots: Sequence[str], targets: Sequence[Target], out: Path | None) -> None:
    for file, _ in targets:
        if file != STDOUT:
            refuse_inside(Path(file), bots)
    if out is not None:
        refuse_inside(out, bots, run=True)


def _targets(*files: str | None) -> list[Target]:
    """Where to write what; refuses now, not after hours of play, what could not be written."""
    writers: tuple[Callable[[Summary], str], ...] = (_json_text, junit, markdown)
    targets = [(file, write) for file, write in zip(files, writers, strict=True) if file]
    for file, _ in targets:
        if file != STDOUT:
            refuse_unwritable(Path(file))
    if sum(file == STDOUT for file, _ in targets) > 1:
        raise ConfigError("only one report can go to stdout", mend="give the others a file")
    return targets


def _json_text(summary: Summary) -> str:
    return json.dumps(as_json(summary), indent=2) + "\n"


def _report(summary: Summary, targets: list[Target]) -> None:
    to_stdout = any(file == STDOUT for file, _ in targets)
    print(text(summary), file=sys.stderr if to_stdout else sys.stdout)
    for file, write in targets:
        write_text(write(summary), Path(file))
