"""A gate for the tests of a bot: it must not have become weaker.

def test_my_bot_is_not_weaker_than_on_main():
    assert_not_weaker(".", "git:main")
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from arena import plugins
from arena.cache import cache_folder
from arena.regress.reports import text
from arena.regress.summary import Summary
from arena.regress.terms import MAX_SETS, PRESETS, Terms
from arena.tournament.regression import (
    Request,
    play_regression,
    prepare_regression,
    with_revisions,
)


def assert_not_weaker(
    candidate: str | Path,
    base: str | Path,
    *,
    field: Sequence[str] = (),
    m0: float = PRESETS["no-regression"][0],
    m1: float = PRESETS["no-regression"][1],
    max_sets: int = MAX_SETS,
    strict: bool = False,
    time_tolerance: float | None = None,
    seed: str | None = None,
    deals: int | None = None,
    workers: int | None = None,
    sandbox: str | None = None,
    out: Path | None = None,
) -> Summary:
    """The candidate passes the sequential test of `arena regress`; its figures come back.

    Bots are given as on the command line. Raises AssertionError with the whole report for every
    other verdict, "undecided" included, and ArenaError if the test cannot be played.
    """
    settings = {
        "seed": seed,
        "game.deals": deals,
        "run.workers": workers,
        "sandbox.name": sandbox,
    }
    request = Request(
        candidate=str(candidate),
        base=str(base),
        terms=Terms(m0, m1, max_sets=max_sets, strict=strict),
        others=tuple(field),
        time_tolerance=time_tolerance,
        settings=tuple(settings.items()),
    )
    with with_revisions(request, repository=Path()) as ready:
        summary = _tested(ready, out)
    if not summary.passed:
        raise AssertionError(text(summary))
    return summary


def _tested(request: Request, out: Path | None) -> Summary:
    cache = cache_folder()
    ready = prepare_regression(request, plugins.build_manager(), cache=cache)
    summary = ready if isinstance(ready, Summary) else play_regression(ready, out)
    assert summary is not None  # nobody asks this run to stop
    return summary
