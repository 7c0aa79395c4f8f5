"""What a deal earns, in tenths of a point."""

from __future__ import annotations

from typing import Final

from arena.games.callbreak.variants import Variant

TENTHS: Final = 10


def tenths_of(call: int, won: int, rules: Variant) -> int:
    """The tenths that a player earns who called `call` and won `won` tricks of a deal.

    A bonus is flat: overtricks add nothing to it.
    """
    over = won - call
    if over < 0 or (rules.overtricks_allowed is not None and over > rules.overtricks_allowed):
        return -TENTHS * call
    if rules.bonus_call is not None and call >= rules.bonus_call:
        return TENTHS * rules.bonus_points
    return TENTHS * call + rules.overtrick_tenths * over
