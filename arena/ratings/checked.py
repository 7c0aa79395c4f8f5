"""Holds rating systems to their promise: figures are checked before a board shows them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from arena.errors import PluginError
from arena.guard import blaming, broken
from arena.ratings.api import Anchor, Rating, Ratings, Result


def checked_rate(system: Rating, results: Sequence[Result], anchor: Anchor | None) -> Ratings:
    """The system's ratings of the results. Raises PluginError if they cannot be shown.

    An exception of a system that is not ours becomes a PluginError; one of ours is a bug.
    """
    with blaming(system, "rate", lambda what: _broken(system, what)):
        found = system.rate(results, anchor=anchor)
    wrong = _wrong(found, {bot for result in results for bot in result.bots})
    if wrong:
        raise _broken(system, wrong)
    return found


def _wrong(found: object, bots: set[str]) -> str:
    """What is wrong with the ratings of these bots; empty if nothing."""
    if not isinstance(found, Ratings):
        return f"`rate` gives {type(found).__name__}, not Ratings"
    names = [rated.bot for rated in found.rated]
    grouped = [bot for group in found.components for bot in group]
    for what, listed in (("rates", names), ("puts into a component", grouped)):
        if forgotten := sorted(bots - set(listed)):
            return f"`rate` forgets {forgotten[0]!r}: it {what} {len(set(listed))} of {len(bots)}"
        if len(listed) != len(bots):
            return f"`rate` {what} {len(listed)} bots, and {len(bots)} played"
    for rated in found.rated:
        figures = (rated.elo, rated.low, rated.high, rated.se)
        for figure in figures:
            # An open end of a bar is infinite; a figure that is not a number is never shown.
            if figure is not None and (not _is_number(figure) or math.isnan(figure)):
                return f"`rate` gives {rated.bot!r} the figure {figure!r}"
        if math.isinf(rated.elo):
            return f"`rate` gives {rated.bot!r} the figure {rated.elo!r}"
    return ""


def _is_number(figure: object) -> bool:
    return isinstance(figure, int | float) and not isinstance(figure, bool)


def _broken(system: Rating, what: str) -> PluginError:
    hint = "leave it out of --rating, and tell the author of the plugin"
    return broken("rating", system, f"a rating breaks its promise: {what}", hint=hint)
