"""The run folder: what a tournament has played so far, in SQLite, written by one process.

Theory of operation. A run folder holds `run.sqlite` (the store's business), `run.lock` and whatever
reports are written beside them. The writer holds an exclusive lock on `run.lock` for as long as it
lives, so a second run on the folder is refused and a killed one leaves nothing to clean up. The
database is in WAL mode and a batch of finished matches is one transaction: after kill -9 at any
instant a match is there whole or not at all, and the runner plays the missing ones again. Records
are stored as zlib-compressed JSON, keyed by their number in the schedule, which is also the order
in which they are read back: the export does not depend on which worker was faster.
"""

from arena.store.database import refuse_foreign, refuse_part_of_run
from arena.store.numbers import Numbers
from arena.store.run_store import Packed, Played, Row, RunStore, packed

__all__ = [
    "Numbers",
    "Packed",
    "Played",
    "Row",
    "RunStore",
    "packed",
    "refuse_foreign",
    "refuse_part_of_run",
]
