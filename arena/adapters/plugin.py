"""The built-in adapters."""

from __future__ import annotations

from collections.abc import Sequence

from arena import hookimpl
from arena.adapters.bhoos.adapter import Bhoos
from arena.bots.adapter import Adapter


@hookimpl
def arena_adapters() -> Sequence[Adapter]:
    return [Bhoos()]
