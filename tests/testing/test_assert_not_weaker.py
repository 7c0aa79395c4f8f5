"""The gate for a bot's own tests passes what `arena regress` accepts, and nothing else."""

from pathlib import Path

import pytest

from arena.testing import assert_not_weaker

pytestmark = pytest.mark.slow
FAIR = Path(__file__).parents[1] / "villains" / "fair.py"
QUICK = {"m0": -0.5, "m1": 0.5, "seed": "7", "workers": 1, "sandbox": "none"}


def test_a_bot_is_not_weaker_than_itself():
    summary = assert_not_weaker(FAIR, FAIR, **QUICK)
    assert summary.identical


def test_a_weaker_bot_fails_with_the_whole_report(tmp_path):
    wild = tmp_path / "wild.py"
    wild.write_text(FAIR.read_text().replace('["legal"][0]', '["legal"][-1]'))
    with pytest.raises(AssertionError, match=r"(?s)rejected: the evidence.*points a deal"):
        assert_not_weaker(wild, FAIR, **QUICK)


def test_no_decision_is_no_pass():
    with pytest.raises(AssertionError, match="undecided"):
        assert_not_weaker(FAIR, FAIR, max_sets=32, **QUICK | {"m0": -0.05, "m1": 0.05})
