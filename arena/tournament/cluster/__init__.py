"""The same tournament on many machines, by Dask `distributed` (see docs/guide/cluster.md).

conductor (coordinator) > pool, ledger | on each worker: crew > player (a process of its own).
"""
