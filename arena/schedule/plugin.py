"""Registers the tournament formats, the default first."""

from collections.abc import Sequence

from arena import hookimpl
from arena.schedule.all_tables import AllTables
from arena.schedule.api import Schedule
from arena.schedule.cyclic import Cyclic
from arena.schedule.gauntlet import Gauntlet
from arena.schedule.head_to_head import HEAD_TO_HEAD, THREE_TO_ONE


@hookimpl
def arena_schedules() -> Sequence[Schedule]:
    """The built-in formats."""
    return (Cyclic(), AllTables(), Gauntlet(), HEAD_TO_HEAD, THREE_TO_ONE)
