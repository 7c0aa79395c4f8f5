"""How far scores can lie apart, by every way to call and to share out the tricks."""

from itertools import product

import pytest

from arena.games.api import BoundedGame
from arena.games.callbreak.game import Callbreak
from arena.games.callbreak.scoring import tenths_of
from arena.games.callbreak.spans import widest_lead, widest_range
from arena.games.callbreak.variants import PRESETS, build_variant

ODD = build_variant(
    "odd",
    {
        "base": "classic",
        "min_call": 3,
        "max_call": 6,
        "bonus_call": 5,
        "bonus_points": 40,
        "overtrick_tenths": 9,
    },
)


@pytest.mark.parametrize("rules", [*PRESETS.values(), ODD], ids=lambda rules: rules.name)
def test_no_deal_lets_scores_lie_further_apart_and_one_lets_them_lie_so_far(rules):
    calls = range(rules.min_call, rules.max_call + 1)
    earned = {won: {tenths_of(call, won, rules) for call in calls} for won in range(14)}
    ways = [won for won in product(range(14), repeat=4) if sum(won) == 13]
    leads = [
        max(earned[a]) + max(earned[b]) - min(earned[c]) - min(earned[d]) for a, b, c, d in ways
    ]
    assert widest_lead(rules) == max(leads)
    single = set().union(*earned.values())
    assert widest_range(rules) == max(single) - min(single)


def test_in_a_duel_of_the_default_variant_one_deal_set_is_worth_21_points_at_most():
    """13 and 5 tricks' calls against twice 12 called and lost: 18 + 24, and half of it."""
    game = Callbreak()
    assert isinstance(game, BoundedGame)
    assert game.span(game.variant("master"), duel=True) == 21
    assert game.span(game.variant("master"), duel=False) == 25
