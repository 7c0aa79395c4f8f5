"""The bots of a run, packed to travel when somebody first needs them."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

from arena.bots.bundle import Bundle, bundle_of, pack
from arena.tournament.cluster.assignment import Assignment, Parcel, Part
from arena.tournament.plan import RunPlan

PART_BYTES = 4 << 20


class Stock:
    """Bundles by the plan's bots. `folder` takes them packed. Raises ConfigError."""

    def __init__(self, plan: RunPlan, folder: Path) -> None:
        self._plan = plan
        self._folder = folder
        self._bundles = tuple(map(bundle_of, plan.bots))

    def assignment(self, rules: str) -> Assignment:
        """What a worker is told of the run."""
        nowhere = tuple(replace(bot, folder=Path()) for bot in self._plan.bots)
        parcels = tuple(Parcel(bundle.key, bundle.native) for bundle in self._bundles)
        return Assignment(replace(self._plan, bots=nowhere), parcels, rules)

    def bundle(self, index: int) -> Bundle:
        return self._bundles[index]

    async def parts(self, index: int) -> AsyncIterator[Part]:
        """The pieces of one bot's bundle, in order."""
        path = self._folder / self._bundles[index].key
        if not path.exists():
            await asyncio.to_thread(_packed, self._bundles[index], path)
        size = path.stat().st_size
        with path.open("rb") as file:
            for offset in range(0, size, PART_BYTES):
                content = file.read(PART_BYTES)
                yield Part(offset, content, last=offset + len(content) == size)


def _packed(bundle: Bundle, path: Path) -> None:
    # Two workers may want it at the same time: each packs for itself, and the last one stays.
    descriptor, packing = tempfile.mkstemp(dir=path.parent)
    with open(descriptor, "wb") as file:
        pack(bundle, file)
    os.replace(packing, path)
