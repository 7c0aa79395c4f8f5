"""Mangled dialogues: no crash, no longer match, nothing held without bound."""

import random

import pytest

from tests.referee.fuzz import Mangler, play_mangled


def test_whatever_bots_say_the_match_is_whole():
    chance = random.Random(1)
    faults = [len(play_mangled(Mangler(chance), chance).faults) for _ in range(100)]
    assert sum(faults) > 0
    assert min(faults) == 0 or max(faults) > 4


@pytest.mark.slow
def test_whatever_bots_say_in_many_matches_they_are_whole():
    chance = random.Random(2)
    for _ in range(5_000):
        play_mangled(Mangler(chance), chance)
