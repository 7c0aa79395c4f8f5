"""What a tournament will be, told before it is played."""

from __future__ import annotations

from datetime import timedelta

from arena.tournament.prepare import Tournament

DECISION_MS = 0.4
"""What a decision costs with quick bots: the answer, the referee, and a share of the starts."""

THOUGHTFUL_MS = 10.0

NAMED = 40
"""So many bots are named."""


def plan_text(tournament: Tournament) -> str:
    """Matches, deals, decisions, and an estimate of the time."""
    plan = tournament.plan
    deals = tournament.total * tournament.game.deals_of(plan.variant)
    decisions = tournament.total * _decisions_a_match(tournament)
    rows = {
        "bots": f"{len(plan.bots):,} ({_names([bot.name for bot in plan.bots])})",
        "schedule": f"{tournament.schedule.name}, orbits: {tournament.segments[-1].orbits:,}",
        "matches": f"{tournament.total:,}",
        "deals": f"{deals:,}",
        "decisions": f"{decisions:,}",
        "workers": str(tournament.workers),
        "sandbox": plan.sandbox,
        "time": f"about {_span(decisions, DECISION_MS, tournament.workers)} with quick bots, "
        f"{_span(decisions, THOUGHTFUL_MS, tournament.workers)} at {THOUGHTFUL_MS:.0f} ms a "
        f"decision, at the very most {_at_most(tournament)}",
    }
    return "\n".join(f"{name:<10} {text}" for name, text in rows.items())


def _names(names: list[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more:,} more" if more > 0 else "")


def _decisions_a_match(tournament: Tournament) -> int:
    """Counted by playing one match out, so that it holds for every game."""
    state = tournament.game.new_match(tournament.seed, tournament.plan.variant)
    decisions = 0
    while not state.is_terminal():
        state.apply(state.fallback())
        decisions += 1
    return decisions


def _span(decisions: int, each_ms: float, workers: int) -> str:
    return str(timedelta(seconds=round(decisions * each_ms / 1000 / workers)))


def _at_most(tournament: Tournament) -> str:
    """If every bot used up its whole clock in every match."""
    clock_s = tournament.plan.rules.limits.match_ms / 1000 * tournament.seats
    return str(timedelta(seconds=round(tournament.total * clock_s / tournament.workers)))
