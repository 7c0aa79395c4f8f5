"""Known changes of real players, on real deals, get the verdict that they deserve."""

import pytest

from arena.regress.terms import PRESETS, Terms
from arena.regress.trial import Trial
from arena.regress.verdict import Outcome
from benchmarks.populations import Pair, Style, observations

CAREFUL, CARELESS = Style(), Style(blunders=0.3)


def verdict(pair, preset, seed):
    terms, trial = Terms(*PRESETS[preset]), Trial()
    for seen in observations(pair, 800, 1, seed):
        trial = trial.after(seen, terms)
        ending = trial.ending(terms)
        if ending:
            return ending.outcome, trial
    return None, trial


@pytest.mark.parametrize("seed", ["one", "two"])
def test_a_better_candidate_is_accepted_as_a_gain(seed):
    outcome, trial = verdict(Pair(CAREFUL, CARELESS), "gain", seed)
    assert outcome is Outcome.ACCEPTED
    assert not trial.is_identical


@pytest.mark.parametrize("seed", ["one", "two"])
def test_a_worse_candidate_is_rejected_as_a_regression(seed):
    outcome, _ = verdict(Pair(CARELESS, CAREFUL), "no-regression", seed)
    assert outcome is Outcome.REJECTED


@pytest.mark.parametrize(
    ("preset", "expected"), [("gain", Outcome.REJECTED), ("no-regression", Outcome.ACCEPTED)]
)
def test_the_same_bot_twice_is_identical_on_all_sets_no_regression_and_no_gain(preset, expected):
    outcome, trial = verdict(Pair(CAREFUL, CAREFUL), preset, "one")
    assert outcome is expected
    assert trial.is_identical
