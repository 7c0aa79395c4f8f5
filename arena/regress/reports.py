"""A summary as text for a terminal, JSON, JUnit XML, and Markdown for a job summary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import Any
from xml.etree import ElementTree

from arena.regress.betting import wealth_bounds
from arena.regress.forecast import forecast
from arena.regress.summary import Interval, Summary
from arena.regress.terms import Terms
from arena.regress.trial import Trial
from arena.regress.verdict import Outcome
from arena.words import counted

HEADLINES: Mapping[Outcome, str] = MappingProxyType(
    {
        Outcome.ACCEPTED: "accepted",
        Outcome.REJECTED: "rejected",
        Outcome.UNDECIDED: "undecided",
        Outcome.FAULT: "failed by a fault",
        Outcome.BUILD_BROKEN: "build broken",
        Outcome.SLOWER: "slower",
    }
)
_JUNIT_ELEMENT: Mapping[Outcome, str] = MappingProxyType(
    {
        Outcome.REJECTED: "failure",
        Outcome.SLOWER: "failure",
        Outcome.FAULT: "failure",
        Outcome.BUILD_BROKEN: "error",
        Outcome.UNDECIDED: "error",
    }
)


def rows(summary: Summary) -> list[tuple[str, str]]:
    """The figures of a report, label and value, in order."""
    setting, terms = summary.setting, summary.setting.terms
    played = [
        ("difference", f"{_with_bounds(summary.points, '+.3f')} points a deal"),
        ("Elo", f"{_with_bounds(summary.elo, '+.0f')} (logistic, {_deals(setting.elo_deals)})"),
        ("evidence", _evidence(summary.evidence, terms)),
        ("deal sets", f"{summary.sets:,} of at most {terms.max_sets:,}{_saved(summary)}"),
    ]
    return [
        ("candidate", setting.candidate),
        ("base", setting.base),
        *([("field", ", ".join(setting.others))] if setting.others else []),
        ("hypotheses", _hypotheses(terms)),
        *(played if summary.sets else []),
        *([("median move", _move_times(summary.move_ms))] if summary.move_ms else []),
        *setting.details,
    ]


def text(summary: Summary) -> str:
    """The verdict on one line, its reason, and the figures below."""
    lines = [f"{HEADLINES[summary.ending.outcome]}: {summary.ending.reason}"]
    if summary.identical:
        lines.append(f"Identical on {counted(summary.sets, 'set')}: nothing differed.")
    figures = rows(summary)
    width = max(len(label) for label, _ in figures)
    lines += ["", *(f"  {label:<{width}}  {value}" for label, value in figures)]
    # Reasons can quote a bot; nothing of it may reach a terminal as a control sequence.
    return "\n".join(map(_printable, lines))


def markdown(summary: Summary) -> str:
    """A section with a table, for a job summary or a pull request."""
    mark = "✅" if summary.passed else "❌"
    lines = [
        f"### {mark} {_escaped(summary.setting.candidate)}: {HEADLINES[summary.ending.outcome]}",
        "",
        f"{_escaped(summary.ending.reason)}.",
    ]
    if summary.identical:
        lines += ["", f"Identical on {counted(summary.sets, 'set')}: nothing differed."]
    table = [f"| {_escaped(label)} | {_escaped(value)} |" for label, value in rows(summary)]
    return "\n".join([*lines, "", "| | |", "|---|---|", *table, ""])


def as_json(summary: Summary) -> dict[str, Any]:
    """The same as a JSON-ready object; keys stay, new ones may come."""
    terms_of = summary.setting.terms
    terms = asdict(terms_of)
    return {
        "verdict": summary.ending.outcome.value,
        "reason": summary.ending.reason,
        "exit_status": summary.ending.exit_status,
        "candidate": summary.setting.candidate,
        "base": summary.setting.base,
        "field": list(summary.setting.others),
        "terms": terms,
        "sets": summary.sets,
        "deals_per_match": summary.setting.deals,
        "identical": summary.identical,
        "llr": summary.llr,
        "llr_bounds": [summary.lower, summary.upper],
        "evidence": {
            "against_h0": summary.evidence[0],
            "against_h1": summary.evidence[1],
            "needed": list(wealth_bounds(terms_of)),
        },
        "points_per_deal": asdict(summary.points),
        "elo": {**asdict(summary.elo), "deals": summary.setting.elo_deals, "model": "logistic"},
        "seat_spread": summary.spread,
        "fixed_sets": summary.fixed_sets,
        "saved": summary.saved,
        "median_move_ms": _pair(summary.move_ms),
        "details": dict(summary.setting.details),
    }


def junit(summary: Summary) -> str:
    """One JUnit test case; a verdict that is no pass is a failure or an error of that name."""
    outcome = summary.ending.outcome
    counts = {"failure": 0, "error": 0}
    case = ElementTree.Element(
        "testcase",
        classname="arena.regress",
        name=_printable(f"{summary.setting.candidate} against {summary.setting.base}"),
    )
    if outcome in _JUNIT_ELEMENT:
        element = _JUNIT_ELEMENT[outcome]
        counts[element] = 1
        bad = ElementTree.SubElement(
            case, element, type=outcome.value, message=_printable(summary.ending.reason)
        )
        bad.text = _printable(text(summary))
    ElementTree.SubElement(case, "system-out").text = _printable(text(summary))
    suite = ElementTree.Element(
        "testsuite",
        name="arena regress",
        tests="1",
        failures=str(counts["failure"]),
        errors=str(counts["error"]),
    )
    suite.append(case)
    ElementTree.indent(suite)
    document: bytes = ElementTree.tostring(suite, encoding="utf-8", xml_declaration=True)
    return document.decode() + "\n"


def live_line(trial: Trial, terms: Terms) -> str:
    """Where the test stands between its bounds, for a progress line."""
    standing = _evidence(trial.wealth.evidence(terms), terms)
    return (
        f"{counted(trial.sets, 'set')}, evidence {standing}, "
        f"{trial.differences.mean:+.3f} points a deal"
    )


def expected(terms: Terms) -> str:
    """What to expect of a test that has not begun, for two usual kinds of bots."""
    lines = [f"if H1 is just true, at {terms.alpha:g} and {terms.beta:g}:"]
    for variance, bots in _USUAL_VARIANCES:
        found = forecast(terms, variance)
        lines.append(
            f"  {bots}: about {found.sets:,} deal sets, "
            f"undecided at {terms.max_sets:,} in {found.undecided:.0%} of tests"
        )
    return "\n".join(lines)


_USUAL_VARIANCES = (
    (1.0, "alike on most cards (variance 1)"),
    (2.0, "of different styles (variance 2)"),
    (4.0, "random (variance 4)"),
)


def _evidence(found: tuple[float, float], terms: Terms) -> str:
    accept, reject = wealth_bounds(terms)
    return f"against H0 {found[0]:.2f} of {accept:.2f}, against H1 {found[1]:.2f} of {reject:.2f}"


def _hypotheses(terms: Terms) -> str:
    kind = "betting, strict" if terms.strict else "betting"
    return (
        f"H0 {terms.m0:+g}, H1 {terms.m1:+g} points a deal; alpha {terms.alpha:g}, "
        f"beta {terms.beta:g}; {kind}"
    )


def _with_bounds(interval: Interval, how: str) -> str:
    value = format(interval.value, how)
    if interval.low is None or interval.high is None:
        return value
    return f"{value} [{format(interval.low, how)}, {format(interval.high, how)}]"


def _saved(summary: Summary) -> str:
    if not summary.decided:
        return ""
    if summary.saved <= 0:
        return f" (a test of fixed size: {summary.fixed_sets:,})"
    return f" ({summary.saved:.0%} fewer than the {summary.fixed_sets:,} of a test of fixed size)"


def _deals(deals: int) -> str:
    return f"match of {counted(deals, 'deal')}"


def _move_times(move_ms: tuple[float, float]) -> str:
    return f"{move_ms[0]:.2f} ms, base {move_ms[1]:.2f} ms"


def _pair(move_ms: tuple[float, float] | None) -> dict[str, float] | None:
    return {"candidate": move_ms[0], "base": move_ms[1]} if move_ms else None


def _escaped(words: str) -> str:
    """Text that means nothing to Markdown or HTML, on one line."""
    safe = words.replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|")
    return " ".join(safe.split())


def _printable(words: str) -> str:
    """Without control characters, which terminals obey and XML cannot carry."""
    return "".join(c if c == "\n" or c.isprintable() else "\ufffd" for c in words)
