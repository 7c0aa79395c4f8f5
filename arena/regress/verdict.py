"""How a test can end, and what each ending means to a shell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Outcome(StrEnum):
    """The endings. Anything but `accepted` fails a gate; `undecided` is never a pass."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNDECIDED = "undecided"
    FAULT = "failed-by-fault"
    BUILD_BROKEN = "build-broken"
    SLOWER = "slower"


EXIT_STATUS: Mapping[Outcome, int] = MappingProxyType(
    {
        Outcome.ACCEPTED: 0,
        Outcome.REJECTED: 1,
        Outcome.UNDECIDED: 3,
        Outcome.FAULT: 1,
        Outcome.BUILD_BROKEN: 1,
        Outcome.SLOWER: 1,
    }
)


@dataclass(frozen=True, slots=True)
class Ending:
    """An outcome and its reason, one sentence for a person."""

    outcome: Outcome
    reason: str

    @property
    def exit_status(self) -> int:
        return EXIT_STATUS[self.outcome]
