"""What pydantic refuses, told to a person: the first thing only, where it stands and in words."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import ValidationError


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing that is wrong. `place` as in `limits.move_ms`, empty for the whole; `kind` is
    pydantic's name for what is wrong, `said` its words, from a small letter; `given` what stood
    there."""

    place: str
    kind: str
    said: str
    given: object

    @property
    def is_unknown(self) -> bool:
        """True if nothing of that name belongs there."""
        return self.kind == "extra_forbidden"

    @property
    def is_missing(self) -> bool:
        """True if nothing stands where something must."""
        return self.kind == "missing"


def first_complaint(error: ValidationError) -> Complaint:
    """The first; but an unknown name before all others, which may only follow from it."""
    found = error.errors(include_url=False, include_context=False)
    first = min(found, key=lambda each: each["type"] != "extra_forbidden")
    said = first["msg"].removeprefix("Value error, ")
    return Complaint(
        place=".".join(str(part) for part in first["loc"] if part != "[key]"),
        kind=first["type"],
        said=said[:1].lower() + said[1:],
        given=first["input"],
    )
