"""Mangled dialogues: no crash, no longer match, nothing held without bound."""

import random

import pytest

from tests.referee.fuzz import Mangler, play_mangled


@pytest.mark.parametrize("matches", [500, pytest.param(5_000, marks=pytest.mark.long)])
def test_whatever_bots_say_the_match_is_whole(matches):
    chance = random.Random(1)
    faults = [len(play_mangled(Mangler(chance), chance).faults) for _ in range(matches)]
    assert sum(faults) > 0
    assert min(faults) == 0 or max(faults) > 4
