"""A regression test over an executor that fails, and over one that is stopped."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import SandboxError
from arena.records import MatchRecord, SeatTiming
from arena.regress.terms import Terms
from arena.tournament.plan import Outcome
from arena.tournament.regression import Request, play_regression, prepare_regression
from arena.tournament.runner import Stop

FAIR = Path(__file__).parents[1] / "villains" / "fair.py"


def record_of(spec, plan):
    """What might have been played: scores that the cards decide, half a point for bot 0."""
    rng = random.Random(spec.seed)
    scores = tuple(rng.randint(-5, 8) + 0.5 * (bot == 0) for bot in spec.seats)
    return MatchRecord(
        match=spec.match,
        set=spec.set,
        game=plan.game,
        variant=plan.variant,
        seed=spec.seed,
        started="",
        seats=tuple(plan.bots[bot].id for bot in spec.seats),
        deals=(),
        scores=scores,
        ranks=(1, 1, 1, 1),
        timing=(SeatTiming(14, 1.0, 0.2),) * 4,
    )


class Pretender:
    """An executor that pretends; `fails` says whether an attempt at a match is void."""

    name = "pretender"

    def __init__(self, fails=lambda spec: False):
        self.fails = fails
        self.played = 0

    def play(self, plan, specs, *, workers):
        for spec in specs:
            self.played += 1
            if self.fails(spec):
                yield Outcome(spec, None, void="the disk is full")
            else:
                yield Outcome(spec, record_of(spec, plan))


@pytest.fixture
def regression(manager, tmp_path):
    """Makes a test of a bot against itself under an executor."""

    def make(executor):
        request = Request(
            candidate=str(FAIR),
            base=str(FAIR),
            terms=Terms(-0.05, 0.05, max_sets=800),
            settings=(("sandbox.name", "none"), ("seed", "7")),
        )
        ready = prepare_regression(request, manager, cache=tmp_path / "cache")
        return replace(ready, tournament=replace(ready.tournament, executor=executor))

    return make


def test_no_more_is_played_than_the_verdict_needs(regression):
    pretender = Pretender()
    summary = play_regression(regression(pretender))
    assert summary.passed
    assert 2 * summary.sets <= pretender.played <= 2 * summary.sets + 2


def test_void_matches_are_played_again_and_change_nothing(regression):
    whole = play_regression(regression(Pretender()))
    failed = set()

    def now_and_then(spec):
        first = spec.number not in failed and spec.number % 13 == 5
        failed.add(spec.number)
        return first

    assert play_regression(regression(Pretender(now_and_then))) == whole


def test_a_match_that_is_void_again_and_again_is_the_harness_failing(regression, tmp_path):
    broken = Pretender(lambda spec: spec.number == 70)
    with pytest.raises(SandboxError, match="cannot be played: the disk is full"):
        play_regression(regression(broken), tmp_path / "run")
    mended = play_regression(regression(Pretender()), tmp_path / "run")
    assert mended == play_regression(regression(Pretender()))


def test_a_stopped_test_has_no_verdict_and_goes_on_to_the_same(regression, tmp_path):
    stop = Stop()

    def taken(trial):
        stop.asked |= trial.sets == 20

    ready = regression(Pretender())
    assert play_regression(ready, tmp_path / "run", stop=stop, taken=taken) is None
    assert play_regression(ready, tmp_path / "run") == play_regression(ready)


def test_nothing_is_left_behind(regression, tmp_path, monkeypatch):
    passing = tmp_path / "passing"
    passing.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(passing))
    play_regression(regression(Pretender()))
    assert list(passing.iterdir()) == []
