"""Holds an executor to its promise: an outcome for every match that it was handed, and no other."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing

from arena.errors import PluginError
from arena.guard import blaming, broken
from arena.tournament.executors import Executor
from arena.tournament.plan import MatchSpec, Outcome, RunPlan


class _Handed:
    """The specs as an executor takes them: how many it took, and whether it took them all."""

    def __init__(self, specs: Iterator[MatchSpec]) -> None:
        self._specs = specs
        self.count = 0
        self.ended = False

    def __iter__(self) -> Iterator[MatchSpec]:
        return self

    def __next__(self) -> MatchSpec:
        try:
            spec = next(self._specs)
        except StopIteration:
            self.ended = True
            raise
        self.count += 1
        return spec


def held_to(
    executor: Executor, plan: RunPlan, specs: Iterator[MatchSpec], workers: int
) -> Generator[Outcome, None, None]:
    """The executor's outcomes. Raises PluginError if it fails, or ends before the matches do.

    An exception of an executor that is not ours becomes a PluginError; one of ours is a bug.
    """
    handed, came = _Handed(specs), 0
    with (
        blaming(executor, "play", lambda what: _broken(executor, what), passing=(OSError,)),
        closing(executor.play(plan, handed, workers=workers)) as outcomes,
    ):
        for outcome in outcomes:
            if not isinstance(outcome, Outcome):
                raise _broken(executor, f"`play` gives {type(outcome).__name__}, no Outcome")
            came += 1
            yield outcome
    if came != handed.count or not (handed.ended or next(handed, None) is None):
        raise _broken(executor, f"it ended with {came} outcomes for {handed.count} matches or more")


def _broken(executor: Executor, what: str) -> PluginError:
    hint = "play with the executor `local`; what is finished is kept"
    return broken("executor", executor, f"an executor breaks its promise: {what}", hint=hint)
