"""What an inspection has noted so far: findings, measures and corners, over all processes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from arena.inspect.findings import Finding, Place


@dataclass(frozen=True, slots=True)
class Measure:
    """The highest value that was measured, against its limit (None: there is none), and where."""

    value: float
    limit: float | None
    place: Place
    stalled: bool = False

    @property
    def share(self) -> float:
        """The part of the limit that was used; 0 without a limit."""
        return self.value / self.limit if self.limit else 0.0

    def as_dict(self) -> dict[str, Any]:
        share = round(self.share, 4) if self.limit else None
        return {"value": round(self.value, 3), "limit": self.limit, "share": share}


@dataclass(slots=True)
class Notebook:
    """Kept by the one who inspects; everything in it is by name."""

    findings: dict[str, Finding] = field(default_factory=dict)
    measures: dict[str, Measure] = field(default_factory=dict)
    reached: set[str] = field(default_factory=set)

    def add(self, finding: Finding) -> None:
        """Notes a finding; of several with one code the first is kept, and counted."""
        known = self.findings.get(finding.code)
        count = known.count + 1 if known else 1
        self.findings[finding.code] = replace(known or finding, count=count)

    def count(self, code: str) -> int:
        """How often it has been found."""
        found = self.findings.get(code)
        return found.count if found else 0

    def measure(self, name: str, measure: Measure) -> None:
        """Notes a measure if it is the highest so far."""
        known = self.measures.get(name)
        if known is None or measure.value > known.value:
            self.measures[name] = measure
