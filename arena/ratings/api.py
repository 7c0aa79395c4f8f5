"""What every rating system keeps."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from arena.records import Points

Anchor = tuple[str, float]
"""A bot and the Elo that it is to be shown with; its whole group is shifted."""


class Result(NamedTuple):
    """What a rating needs of a match. Lists are by seat.

    `bots` are the names the board uses (identity already resolved). `set` names the deal set, the
    unit of independence; a match without one (empty) is its own. `retired` bots lose to every bot
    that is not. `deals` is how many deals were played (0: unknown).
    """

    bots: tuple[str, ...]
    scores: tuple[Points, ...]
    retired: tuple[bool, ...]
    set: str
    deals: int = 0


@dataclass(frozen=True, slots=True)
class Rated:
    """One bot's rating. All in Elo; None where the system has no such figure.

    `low`..`high` is the 95 % error bar; an end at which the results set no limit is infinite.
    `los_next` and `los_leader` are the likelihoods (0..1) that the bot is stronger than the next
    bot on the board and than the best of its group.
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

    @property
    def open_ends(self) -> str | None:
        """At which ends the results set no limit: `low`, `high`, `both`; None if at neither."""
        low, high = self.low == -math.inf, self.high == math.inf
        return "both" if low and high else "low" if low else "high" if high else None


@dataclass(frozen=True, slots=True)
class Ratings:
    """The outcome, group by group and best first. `components` are the groups of bots joined by
    matches, the largest first; bots of two groups cannot be compared.

    `order_dependent` warns that the same matches in another order give other figures. `notes` are
    sentences that a reader of the board must know.
    """

    rated: tuple[Rated, ...]
    components: tuple[tuple[str, ...], ...]
    order_dependent: bool = False
    details: Mapping[str, object] = field(default_factory=dict, compare=False)
    notes: tuple[str, ...] = ()


class Rating(Protocol):
    """A rating system under a name."""

    @property
    def name(self) -> str: ...

    @property
    def summary(self) -> str:
        """One line for `arena plugins` and the board's footnote."""
        ...

    def rate(self, results: Sequence[Result], *, anchor: Anchor | None = None) -> Ratings:
        """Rates every bot that appears. `anchor` shifts all so that one bot has a figure."""
        ...
