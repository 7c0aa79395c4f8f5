"""How a regression test is shown while it goes on: one live line, or a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

from arena.cli.progress import PLAIN_INTERVAL_S
from arena.regress.reports import live_line
from arena.regress.terms import Terms
from arena.regress.trial import Trial


@contextmanager
def live(terms: Terms) -> Iterator[Callable[[Trial], None]]:
    """What to call after every set; fits where stderr goes."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield plain_lines(terms, time.monotonic)
        return
    with console.status("starting the bots") as status:
        yield lambda trial: status.update(live_line(trial, terms))


def plain_lines(terms: Terms, clock: Callable[[], float]) -> Callable[[Trial], None]:
    """Prints a line on stderr when the last one is old enough."""
    last = clock()

    def taken(trial: Trial) -> None:
        nonlocal last
        if clock() - last >= PLAIN_INTERVAL_S:
            last = clock()
            print(live_line(trial, terms), file=sys.stderr, flush=True)

    return taken
