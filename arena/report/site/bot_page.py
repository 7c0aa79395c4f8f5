"""A bot's page as its template shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from arena.ratings.statistics import Mean
from arena.records import BotId
from arena.report.bar_text import bar_text
from arena.report.leaderboard import Leaderboard, Row
from arena.report.site.charts import charts_of
from arena.report.site.facts import BotFacts, MatchRef, Seated
from arena.report.site.head_to_head import Meetings

_EVIDENCE = (
    ("arrived", "arrived", ""),
    ("used_ms", "used", " ms"),
    ("limit_ms", "limit", " ms"),
    ("status", "process", ""),
    ("stderr", "log", ""),
)
_LINES_SHOWN = 40
MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its name, and what belongs beside it in small."""

    name: str
    value: str
    more: str = ""


def bot_context(
    row: Row,
    bot: BotId,
    facts: BotFacts,
    *,
    board: Leaderboard,
    meetings: Meetings,
    pages: Mapping[str, str],
    labels: Mapping[BotId, str],
    language: str,
) -> dict[str, Any]:
    """Everything that the bot's template wants, beside the frame."""
    return {
        "bot": {
            "name": row.bot,
            "about": _about(bot, language),
            "figures": list(_figures(row, facts)),
            "matches_query": urlencode({"bot": row.bot}),
            "charts": charts_of(facts),
            "fault_count": facts.fault_count,
            "faults": [_fault(ref, fault) for ref, fault in facts.faults],
            "best": [_match(seated, labels) for seated in facts.best_first()],
            "worst": [_match(seated, labels) for seated in facts.worst_first()],
            "opponents": _opponents(row.bot, board, meetings, pages),
        }
    }


def _about(bot: BotId, language: str) -> str:
    parts = [
        f"version {bot.version}" if bot.version else "",
        language,
        f"files {bot.digest[:16]}…" if bot.digest else "",
    ]
    return " · ".join(part for part in parts if part)


def _figures(row: Row, facts: BotFacts) -> Sequence[Figure]:
    statistics, rated = row.statistics, row.rated
    bar = bar_text(rated)
    bar = f"± {bar}" if bar.isdigit() else bar
    points = statistics.points_per_deal or statistics.points_per_match
    found = [
        Figure("Elo", f"{rated.elo:.0f}", bar),
        Figure("rank", str(row.rank)),
        Figure(
            "points a deal" if statistics.points_per_deal else "points a match",
            _points(points.value),
            _error(points),
        ),
        Figure("matches", f"{statistics.matches:,}", _wins(row)),
    ]
    if row.calls_made is not None and row.mean_call is not None:
        found.append(Figure("calls made", f"{row.calls_made:.0%}", f"mean {row.mean_call:.2f}"))
    if row.ms_per_move is not None:
        slowest = f"slowest {facts.slowest_ms:.0f}" if facts.slowest_ms else ""
        found.append(Figure("ms a decision", f"{row.ms_per_move:.2f}", slowest))
    found.append(Figure("faults", str(row.conduct.faults)))
    return found


def _wins(row: Row) -> str:
    shared = row.statistics.shared_wins
    return f"won {row.statistics.wins:,}" + (f", shared {shared:,}" if shared else "")


def _points(value: float) -> str:
    return f"{value:.2f}".replace("-", MINUS)


def _error(mean: Mean) -> str:
    return "" if mean.bar is None else f"± {_points(mean.bar)}"


def _fault(ref: MatchRef, fault: Mapping[str, Any]) -> dict[str, Any]:
    deal, trick = fault.get("deal"), fault.get("trick")
    place = {"deal": deal or 1, **({"trick": trick} if trick else {}), "seat": fault.get("seat")}
    where = ref.match
    if deal:
        where += f", deal {deal}, " + (f"trick {trick}" if trick else "calls")
    return {
        "kind": str(fault.get("kind", "fault")),
        "detail": str(fault.get("detail", "")),
        "where": where,
        "link": replay_link(ref, place),
        "forgiven": fault.get("retired") is False,
        "evidence": [
            (word, f"{fault[key]}{unit}".splitlines()[-_LINES_SHOWN:])
            for key, word, unit in _EVIDENCE
            if fault.get(key) not in ("", None)
        ],
    }


def _match(seated: Seated, labels: Mapping[BotId, str]) -> dict[str, Any]:
    ref, seat = seated.ref, seated.seat
    others = [labels[bot] for place, bot in enumerate(ref.seats) if place != seat]
    return {
        "name": ref.match,
        "link": replay_link(ref, {}),
        "score": str(ref.scores[seat]).replace("-", MINUS),
        "rank": ref.ranks[seat],
        "against": ", ".join(others),
    }


def replay_link(ref: MatchRef, place: Mapping[str, object]) -> str:
    """The address of a moment, seen from a bot's page; empty if the record is not in the pages."""
    if ref.part is None:
        return ""
    return "../replay.html#" + urlencode({"match": ref.match, "part": ref.part, **place})


def _opponents(
    bot: str, board: Leaderboard, meetings: Meetings, pages: Mapping[str, str]
) -> list[dict[str, Any]]:
    return [
        {
            "name": other.bot,
            "page": pages[other.bot],
            "games": f"{meeting.games:,}",
            "share": f"{meeting.share:.0%}",
            "expected": f"{meeting.expected:.0%}",
            "flag": meeting.is_surprise,
        }
        for other in board.rows
        if (meeting := meetings.get((bot, other.bot))) is not None
    ]
