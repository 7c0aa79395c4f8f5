"""The executor `dask`: a cluster behind the same interface as the local pool."""

from __future__ import annotations

import importlib
from collections.abc import Generator, Iterator
from itertools import chain

from arena.errors import ConfigError
from arena.tournament.plan import MatchSpec, Outcome, RunPlan

_CONDUCTOR = "arena.tournament.cluster.conductor"
_LOCAL = "arena.tournament.cluster.local"


class DaskCluster:
    """Plays on the workers of `plan.scheduler`; without one, on a cluster of this machine's own.

    `distributed` is an extra and takes half a second to import: that happens when it plays.
    """

    name = "dask"
    pins_tables = True

    def play(
        self, plan: RunPlan, specs: Iterator[MatchSpec], *, workers: int
    ) -> Generator[Outcome, None, None]:
        """Yields outcomes as they come. `workers` is for a local cluster: how many it has."""
        first = next(specs, None)
        if first is None:
            return
        specs = chain([first], specs)
        try:
            conductor = importlib.import_module(_CONDUCTOR)
            local = importlib.import_module(_LOCAL)
        except ModuleNotFoundError as error:
            if (error.name or "").startswith("arena"):
                raise
            raise ConfigError(
                "the executor `dask` needs the package `distributed`, which is not installed",
                mend="pip install callbreak-arena[dask]",
            ) from error
        if plan.scheduler:
            yield from conductor.conduct(plan, specs, plan.scheduler)
        else:
            with local.local_cluster(workers) as address:
                yield from conductor.conduct(plan, specs, address)
