"""What every rating system keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from arena.records import Points


@dataclass(frozen=True, slots=True)
class Result:
    """What a rating needs of a match. Lists are by seat.

    `bots` are the names the board uses (identity already resolved). `set` names the deal set, the
    unit of independence; a match without one is its own. `retired` bots lose to every bot that is
    not. `deals` is how many deals were played (0: unknown).
    """

    bots: tuple[str, ...]
    scores: tuple[Points, ...]
    retired: tuple[bool, ...]
    set: str
    deals: int = 0


@dataclass(frozen=True, slots=True)
class Rated:
    """One bot's rating. All in Elo; None where the system has no such figure.

    `low`..`high` is the 95 % error bar. `los_next` is the likelihood that it is stronger than the
    next bot on the board (0..1).
    """

    bot: str
    elo: float
    low: float | None = None
    high: float | None = None
    se: float | None = None
    se_cluster: float | None = None
    se_model: float | None = None
    los_next: float | None = None
    los_leader: float | None = None


@dataclass(frozen=True, slots=True)
class Ratings:
    """The outcome, best first. `components` are the groups of bots joined by matches.

    `order_dependent` warns that the same matches in another order give other figures.
    """

    rated: tuple[Rated, ...]
    components: tuple[tuple[str, ...], ...]
    order_dependent: bool = False
    details: Mapping[str, object] = field(default_factory=dict)


class Rating(Protocol):
    """A rating system under a name."""

    @property
    def name(self) -> str: ...

    @property
    def summary(self) -> str:
        """One line for `arena plugins` and the board's footnote."""
        ...

    def rate(
        self, results: Sequence[Result], *, anchor: tuple[str, float] | None = None
    ) -> Ratings:
        """Rates every bot that appears. `anchor` shifts all so that one bot has a figure."""
        ...
