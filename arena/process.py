"""The only file that spawns. (Filled in by the sandbox's builder.)"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start a process: everything that `spawn` needs and nothing it must look up."""

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str | None = None
