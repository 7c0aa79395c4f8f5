"""How far apart the rules let scores lie: what a test that must hold for any bots may rely on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.games.callbreak.cards import RANKS_PER_SUIT
from arena.games.callbreak.scoring import tenths_of
from arena.games.callbreak.variants import Variant

_TRICKS = range(RANKS_PER_SUIT + 1)
"""The tricks that one seat, or all four together, can win in a deal: none to all 13."""

Choose = Callable[[Sequence[int]], int]


def widest_range(rules: Variant) -> int:
    """The most tenths by which the earnings of one seat can differ between two deals."""
    return max(_by_call(max, rules)) - min(_by_call(min, rules))


def widest_lead(rules: Variant) -> int:
    """The most tenths by which two seats of one deal can together lead the other two.

    Every way to share out the tricks is tried, with the best calls for the leaders' tricks and the
    worst for the others'. The cards may allow less, never more.
    """
    best = _together(max, _by_call(max, rules))
    worst = _together(min, _by_call(min, rules))
    return max(best[won] - worst[len(_TRICKS) - 1 - won] for won in _TRICKS)


def _by_call(choose: Choose, rules: Variant) -> list[int]:
    """By tricks won, what the best or the worst call earns."""
    calls = range(rules.min_call, rules.max_call + 1)
    return [choose([tenths_of(call, won, rules) for call in calls]) for won in _TRICKS]


def _together(choose: Choose, each: Sequence[int]) -> list[int]:
    """By tricks that two seats won together, the most or the least that they can earn."""
    return [choose([each[mine] + each[won - mine] for mine in range(won + 1)]) for won in _TRICKS]
