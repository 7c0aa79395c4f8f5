"""What a verdict looks like to a person, a program and a CI server."""

import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from arena.regress.observation import Observation
from arena.regress.reports import as_json, expected, junit, live_line, markdown, text
from arena.regress.summary import Setting, summarise
from arena.regress.terms import Terms
from arena.regress.trial import Trial
from arena.regress.verdict import Ending, Outcome

SETTING = Setting("carl 1.1", "carl 1.0", Terms(-0.05, 0.05), deals=1, elo_deals=4)


def summary_of(outcome, sets=400, difference=0.5, setting=SETTING, reason="a reason"):
    trial = Trial()
    for number in range(sets):
        away = difference if number % 2 else -difference
        seen = Observation(away + 0.125, (away, -away), not difference)
        trial = trial.after(seen, setting.terms)
    return summarise(setting, trial, Ending(outcome, reason))


@pytest.mark.parametrize("outcome", Outcome)
def test_every_ending_is_named_in_every_format(outcome):
    summary = summary_of(outcome)
    words = outcome.value.replace("-by-", " by a ").replace("-", " ")
    words = {"build broken": "build broken"}.get(words, words)
    assert text(summary).startswith(words)
    assert words in markdown(summary)
    assert as_json(summary)["verdict"] == outcome.value
    assert "a reason" in text(summary)


@pytest.mark.parametrize("outcome", Outcome)
def test_in_junit_only_an_accepted_candidate_passes(outcome):
    suite = ElementTree.fromstring(junit(summary_of(outcome)))
    bad = [element for element in suite.iter() if element.tag in ("failure", "error")]
    assert bool(bad) == (outcome is not Outcome.ACCEPTED)
    assert int(suite.get("failures")) + int(suite.get("errors")) == len(bad)
    assert all(element.get("type") == outcome.value for element in bad)


def test_the_text_gives_points_elo_and_the_sets_saved():
    words = text(summary_of(Outcome.ACCEPTED))
    assert "+0.125 [" in words
    assert "(logistic, match of 4 deals)" in words
    assert "against H0" in words
    assert "400 of at most 8,000" in words
    assert "a test of fixed size" in words


def test_a_test_that_a_fault_ended_claims_no_savings():
    assert "fixed size" not in text(summary_of(Outcome.FAULT))


def test_before_the_first_set_there_are_no_figures():
    summary = summary_of(Outcome.BUILD_BROKEN, sets=0, reason="the build of carl 1.1 failed")
    assert "against H0" not in text(summary)
    assert as_json(summary)["points_per_deal"] == {"value": 0.0, "low": None, "high": None}


def test_identity_is_said():
    summary = summary_of(Outcome.ACCEPTED, difference=0.0)
    assert "Identical on 400 sets: nothing differed." in text(summary)
    assert "Identical on 400 sets: nothing differed." in markdown(summary)


def test_json_is_strict_json_for_any_number_of_sets():
    for sets in (0, 1, 40):
        summary = summary_of(Outcome.UNDECIDED, sets=sets)
        assert json.loads(json.dumps(as_json(summary), allow_nan=False))["sets"] == sets


def test_hostile_names_cannot_break_out_of_a_report():
    setting = replace(SETTING, candidate="a|b<script>\n\x00")
    summary = summary_of(Outcome.REJECTED, setting=setting)
    assert "<script" not in markdown(summary)
    assert "a\\|b&lt;script>" in markdown(summary)
    ElementTree.fromstring(junit(summary))


@pytest.mark.parametrize("strict", [False, True])
def test_the_live_line_shows_where_the_test_stands_between_its_bounds(strict):
    line = live_line(Trial(), Terms(-0.05, 0.05, strict=strict))
    assert "evidence against H0 0.00 of 3.00, against H1 0.00 of 3.00" in line


def test_what_to_expect_is_said_beforehand_with_the_chance_to_be_undecided():
    words = expected(Terms(-0.1, 0.0))
    assert "random (variance 4): about 2," in words
    assert "undecided at 8,000 in 1% of tests" in words
    assert "in 9" in expected(Terms(-0.1, 0.0, max_sets=100))
