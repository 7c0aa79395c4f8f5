"""The built-in sandboxes, the most wanted first."""

from collections.abc import Sequence

from arena import hookimpl
from arena.cache import cache_folder
from arena.sandbox.api import Sandbox
from arena.sandbox.bubblewrap import Bubblewrap
from arena.sandbox.container import Container
from arena.sandbox.landlock import Landlock
from arena.sandbox.unconfined import Unconfined


@hookimpl
def arena_sandboxes() -> Sequence[Sandbox]:
    return (Bubblewrap(), Landlock(bots_in=cache_folder), Container(), Unconfined())
