"""Registers the local pool."""

from collections.abc import Sequence

from arena import hookimpl
from arena.tournament.executors import Executor, LocalPool


@hookimpl
def arena_executors() -> Sequence[Executor]:
    """Worker processes on this machine."""
    return [LocalPool()]
