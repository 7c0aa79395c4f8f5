"""Registers the local pool and the cluster."""

from collections.abc import Sequence

from arena import hookimpl
from arena.tournament.cluster.executor import DaskCluster
from arena.tournament.executors import Executor, LocalPool


@hookimpl
def arena_executors() -> Sequence[Executor]:
    """Worker processes on this machine, or the workers of a Dask cluster."""
    return [LocalPool(), DaskCluster()]
