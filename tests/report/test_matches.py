"""Records from any program: what is used, what is refused, and how it is said."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import ConfigError
from arena.ratings.api import Result
from arena.report import leaderboard
from arena.report.identity import name_bots
from arena.report.matches import Matches
from arena.report.record_source import read_lines, refuse_bad_lines

MINIMAL = {"seats": [{"bot": name} for name in "abcd"], "scores": [4, 3, 2, 1]}


def gathered(*records: object) -> Matches:
    matches = Matches()
    matches.gather((f"x line {n}", record) for n, record in enumerate(records, 1))  # type: ignore[misc]
    return matches


def results_of(matches: Matches) -> tuple[Result, ...]:
    return leaderboard.results_of(matches, name_bots(matches.ids))


def complaint(**changes: Any) -> str:
    (bad,) = gathered({**MINIMAL, **changes}).bad
    assert bad.where == "x line 1"
    assert bad.mend
    return bad.what


def write(path: Path, *lines: str | bytes) -> Path:
    path.write_bytes(b"".join((x.encode() if isinstance(x, str) else x) + b"\n" for x in lines))
    return path


def test_a_minimal_record_is_enough() -> None:
    (result,) = results_of(gathered(MINIMAL))
    assert (result.bots, result.scores, result.set) == (("a", "b", "c", "d"), (4, 3, 2, 1), "")
    assert result.retired == (False,) * 4
    assert result.deals == 0


def test_the_variant_says_how_many_deals_there_were() -> None:
    assert results_of(gathered({**MINIMAL, "variant": {"deals": 5}}))[0].deals == 5


def test_a_fault_retires_its_seat_unless_it_says_otherwise() -> None:
    faults = [{"seat": 1, "kind": "timeout"}, {"seat": 2, "kind": "timeout", "retired": False}]
    matches = gathered({**MINIMAL, "faults": faults})
    assert results_of(matches)[0].retired == (False, True, False, False)
    assert [conduct.faults for conduct in matches.conduct] == [0, 1, 1, 0]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seats": None}, "seats is None, not a list"),
        ({"seats": [{"bot": "a"}]}, "seats has 1 entry"),
        ({"seats": ["a", "b", "c", "d"]}, "names no bot"),
        ({"seats": [{"bot": ""}] * 4}, "has 0 characters"),
        ({"seats": [{"bot": "x" * 1001}] * 4}, "1001 characters"),
        ({"seats": [{"bot": "x", "digest": 3}] * 4}, "digest of a seat is 3"),
        ({"scores": [1, 2, 3]}, "scores has 3 entries, not 4"),
        ({"scores": [1, 2, 3, "4"]}, "score '4' is no number"),
        ({"scores": [1, 2, 3, True]}, "score True is no number"),
        ({"scores": [1, 2, 3, 1e15]}, "too large"),
        ({"scores": [1, 2, 3, 4.25]}, "score 4.25 is no whole number of tenths"),
        ({"scores": [1, 2, 3, float("nan")]}, "score nan is too large"),
        ({"ranks": [1, 2, 3]}, "ranks has 3"),
        ({"ranks": [1, 2, 3, "4"]}, "ranks are"),
        ({"ranks": [4, 3, 2, 1]}, "contradict the scores"),
        ({"ranks": [1, 2, 3, 4], "faults": [{"seat": 0}]}, "scores [4, 3, 2, 1] and faults"),
        ({"faults": {"seat": 0}}, "faults is"),
        ({"faults": ["timeout"]}, "the fault 'timeout' is no object"),
        ({"faults": [{"seat": 4}]}, "the seat 4"),
        ({"faults": [{"seat": 0, "retired": 1}]}, "retired is 1"),
        ({"set": [1]}, "set is [1]"),
        ({"deals": [{"calls": [1, 2, 3]}]}, "lacks a sound dealer"),
        ({"deals": {"calls": 1}}, "deals is"),
        ({"deals": [{"dealer": 4, "calls": [1] * 4, "points": [1] * 4}]}, "lacks a sound dealer"),
        ({"deals": [{"dealer": 0, "calls": ["1"] * 4, "points": [1] * 4}]}, "lacks a sound dealer"),
        ({"deals": [{"dealer": 0, "calls": [1] * 4, "points": "abcd"}]}, "lacks a sound dealer"),
        ({"timing": [{"decisions": "x"}] * 4}, "is not decisions and total_ms"),
        ({"record": 2}, "record format 2"),
    ],
)
def test_what_is_wrong_with_a_record_is_said(changes: dict[str, Any], words: str) -> None:
    assert words in complaint(**changes)


def test_scores_that_differ_by_less_than_a_tenth_are_one_score() -> None:
    noisy = {**MINIMAL, "scores": [4.199999999999999, 4.2, 0.1 + 0.2, 0.30000000000000004]}
    matches = gathered(noisy | {"ranks": [1, 1, 3, 3]}, noisy, noisy | {"ranks": [1, 2, 3, 4]})
    assert not matches.bad
    assert [result.scores for result in results_of(matches)] == [(4.2, 4.2, 0.3, 0.3)] * 3


def test_ranks_that_are_shared_by_other_scores_are_refused() -> None:
    apart = {**MINIMAL, "scores": [4.3, 4.2, 2, 1], "ranks": [1, 1, 3, 4]}
    out = {**MINIMAL, "ranks": [1, 2, 3, 3], "faults": [{"seat": 3}]}
    both_out = {**MINIMAL, "ranks": [1, 2, 3, 3], "faults": [{"seat": 2}, {"seat": 3}]}
    assert [line.what for line in gathered(apart, out, both_out).bad] == [
        "ranks [1, 1, 3, 4] contradict the scores [4.3, 4.2, 2, 1]",
        "ranks [1, 2, 3, 3] contradict the scores [4, 3, 2, 1] and faults",
    ]


def test_ranks_that_break_ties_or_skip_no_number_are_fine() -> None:
    tied = {**MINIMAL, "scores": [4, 4, 2, 1]}
    assert not gathered(tied | {"ranks": [1, 2, 3, 4]}, tied | {"ranks": [1, 1, 2, 3]}).bad


def test_a_refused_record_leaves_no_trace() -> None:
    other = {"seats": [{"bot": name, "version": "2"} for name in "abcd"], "scores": [1]}
    matches = gathered(other, MINIMAL)
    assert [bot.version for bot in matches.ids] == [""] * 4
    assert results_of(matches)[0].bots == ("a", "b", "c", "d")


def test_void_matches_are_counted_and_not_rated() -> None:
    matches = gathered({"void": True, "match": "m1"}, MINIMAL)
    assert (matches.void, len(matches.played), matches.bad) == (1, 1, [])


def test_lines_are_numbered_as_an_editor_numbers_them(tmp_path: Path) -> None:
    path = write(tmp_path / "r.jsonl", "\ufeff" + json.dumps(MINIMAL), "", "{", "[]", b"\xff", "7")
    matches = Matches()
    matches.gather(read_lines(path))
    assert len(matches.played) == 1
    assert [bad.where.rpartition(" ")[2] for bad in matches.bad] == ["3", "4", "5", "6"]


def test_bad_lines_are_refused_in_one_line_that_names_them_all(tmp_path: Path) -> None:
    matches = Matches()
    matches.gather(read_lines(write(tmp_path / "r.jsonl", "{", json.dumps(MINIMAL), "x", "y")))
    with pytest.raises(ConfigError) as caught:
        refuse_bad_lines(matches.bad)
    text = str(caught.value)
    assert "r.jsonl line 1: not JSON" in text
    assert "2 more bad: 3, 4" in text
    assert "--skip-bad" in text
    assert "\n" not in text


def test_a_missing_file_is_an_error_for_people(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        list(read_lines(tmp_path / "nothing"))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=10,
)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            key: json_values | st.just(MINIMAL.get(key))
            for key in (
                *("record", "void", "seats", "scores", "ranks", "faults", "set"),
                *("variant", "deals", "timing"),
            )
        },
    )
)
def test_no_json_object_can_break_the_reader(record: dict[str, Any]) -> None:
    matches = gathered({**MINIMAL, **record})
    assert len(matches.played) + len(matches.bad) + matches.void == 1


def test_a_match_that_stands_twice_counts_once_and_is_told() -> None:
    match = {**MINIMAL, "match": "3-1", "seed": "x", "deal_set": 3}
    matches = gathered(match, MINIMAL, MINIMAL, match)
    (bad,) = matches.bad
    assert (bad.where, bad.what) == ("x line 4", "match '3-1' stands twice")
    assert len(matches.played) == 3


def test_matches_of_two_runs_share_their_names_and_both_count() -> None:
    match = {**MINIMAL, "match": "3-1", "seed": "x"}
    others = [{"seed": "y"}, {"seats": [{"bot": name} for name in "abce"]}, {"match": "3-2"}]
    matches = gathered(match, *({**match, **other} for other in others))
    assert (len(matches.played), matches.bad) == (4, [])


def test_without_cards_a_match_is_known_by_what_came_of_it() -> None:
    match = {**MINIMAL, "match": "1"}
    matches = gathered(match, {**match, "scores": [5, 3, 2, 1]}, match)
    assert (len(matches.played), [bad.where for bad in matches.bad]) == (2, ["x line 3"])


def test_names_that_are_no_text_tell_no_match_from_another() -> None:
    assert gathered(*[{**MINIMAL, "match": "\ud800"}] * 2).bad[0].what.endswith("stands twice")
    assert not gathered(*[{**MINIMAL, "match": 7}] * 2, *[{**MINIMAL, "match": ""}] * 2).bad
