"""The leaderboard: built once, with everything that any format shows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from arena.errors import ConfigError
from arena.lookup import pick
from arena.ratings.api import Anchor, Rated, Rating, Ratings, Result
from arena.ratings.checked import checked_rate
from arena.ratings.elo import EloFit, fit_behind
from arena.ratings.residuals import Residual, cycles, residuals
from arena.ratings.statistics import (
    BotStatistics,
    Conduct,
    Mean,
    count_calls,
    place_effects,
    statistics_of,
)
from arena.records import BotId
from arena.report.identity import name_bots
from arena.report.matches import Matches


@dataclass(frozen=True, slots=True)
class Row:
    """One bot. `rank` counts within the group of bots that met (1, 2, 2, 4).

    `others` holds its figures under further rating systems, by the system's name.
    """

    rank: int
    bot: str
    version: str
    rated: Rated
    statistics: BotStatistics
    conduct: Conduct
    others: Mapping[str, Rated]

    @property
    def calls_made(self) -> float | None:
        """The share of calls that succeeded; None without full records."""
        return self.conduct.calls_made / self.conduct.calls if self.conduct.calls else None

    @property
    def mean_call(self) -> float | None:
        """The average call; None without full records."""
        return self.conduct.call_sum / self.conduct.calls if self.conduct.calls else None

    @property
    def ms_per_move(self) -> float | None:
        """The average time for a decision; None where no times are recorded."""
        conduct = self.conduct
        return conduct.thinking_us / conduct.decisions / 1000 if conduct.decisions else None


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """Rows group by group, the largest group first, best first in each.

    `systems` are the rating systems shown, the ordering one first; `deal_sets` counts a match
    without a set as one. `seat_effects` and `place_effects` are points a deal beyond a bot's mean,
    by seat, and by place after the dealer (empty without full records). `pairs` are the residuals
    of every two bots that met, the clearest first. `notes` are what the first system says about its
    figures.
    """

    systems: tuple[Rating, ...]
    order_dependent: tuple[str, ...]
    rows: tuple[Row, ...]
    components: tuple[tuple[str, ...], ...]
    anchor: Anchor | None
    matches: int
    deal_sets: int
    void: int
    skipped: int
    seat_effects: tuple[Mean, ...]
    place_effects: tuple[Mean, ...]
    pairs: tuple[Residual, ...]
    cycles: tuple[tuple[str, str, str], ...]
    fit: EloFit
    notes: tuple[str, ...] = ()


def results_of(matches: Matches, names: Mapping[BotId, str]) -> tuple[Result, ...]:
    """The matches with the board's names in place of numbers."""
    name = [names[bot] for bot in matches.ids]
    return tuple(
        Result(tuple([name[b] for b in each.bots]), each.scores, each.retired, each.set, each.deals)
        for each in matches.played
    )


def observations(matches: Matches, results: Sequence[Result]) -> tuple[Result, ...]:
    """The results that show something new; all of them in a game with chance.

    Without chance, bots that always play the same give one observation a table, however often it
    is repeated. If two matches of a table differ, its bots draw chance of their own, and every
    match of it counts. Matches in which a fault retired a bot are compared among each other alone.
    """
    if not any(each.play for each in matches.played):
        return tuple(results)
    kept: dict[object, list[tuple[Result, str]]] = defaultdict(list)
    for result, each in zip(results, matches.played, strict=True):
        table = (result.bots, any(result.retired)) if each.play else len(kept)
        kept[table].append((result, each.play))
    return tuple(
        result
        for table in kept.values()
        for result, _ in (table if len({play for _, play in table}) > 1 else table[:1])
    )


def _with_bars_of(
    all_of: Mapping[str, BotStatistics], observed: Mapping[str, BotStatistics]
) -> Mapping[str, BotStatistics]:
    """Statistics of all matches, with the error bars of those that show something new."""

    def barred(mean: Mean, other: Mean) -> Mean:
        return replace(mean, se=other.se, deal_sets=other.deal_sets)

    return {
        bot: replace(
            found,
            points_per_match=barred(found.points_per_match, observed[bot].points_per_match),
            points_per_deal=(per_deal := found.points_per_deal)
            and barred(per_deal, observed[bot].points_per_deal or per_deal),
        )
        for bot, found in all_of.items()
    }


def build_leaderboard(
    matches: Matches,
    systems: Sequence[Rating],
    *,
    anchor: Anchor | None = None,
    names: Mapping[BotId, str] | None = None,
) -> Leaderboard:
    """Rates the matches by every system; the first one orders the rows.

    `names` are the board's names of the bots (identity.py); those of the matches alone if left out.
    """
    names = name_bots(matches.ids) if names is None else names
    results = results_of(matches, names)
    observed = observations(matches, results)
    ratings = [checked_rate(system, observed, anchor) for system in systems]
    fit = fit_behind(ratings, observed)
    statistics, seats = statistics_of(results)
    if len(observed) < len(results):
        statistics = _with_bars_of(statistics, statistics_of(observed)[0])
    sets = [result.set for result in results]
    return Leaderboard(
        systems=tuple(systems),
        order_dependent=tuple(
            system.name
            for system, found in zip(systems, ratings, strict=True)
            if found.order_dependent
        ),
        rows=_rows(matches, names, statistics, systems, ratings),
        components=ratings[0].components,
        anchor=anchor,
        matches=len(results),
        deal_sets=len(set(sets) - {""}) + sets.count(""),
        void=matches.void,
        skipped=len(matches.bad),
        seat_effects=seats,
        place_effects=place_effects(matches.deals),
        pairs=residuals(fit),
        cycles=cycles(fit),
        fit=fit,
        notes=(*ratings[0].notes, *_repeated(len(results), len(observed))),
    )


def _repeated(matches: int, observed: int) -> tuple[str, ...]:
    if observed == matches:
        return ()
    return (
        f"Without chance, the same play again shows nothing new: ratings and bars rest on "
        f"{observed} of {matches} matches.",
    )


def _rows(
    matches: Matches,
    names: Mapping[BotId, str],
    statistics: Mapping[str, BotStatistics],
    systems: Sequence[Rating],
    ratings: Sequence[Ratings],
) -> tuple[Row, ...]:
    versions: dict[str, list[str]] = defaultdict(list)
    conduct: dict[str, Conduct] = defaultdict(Conduct)
    calls = count_calls(matches.deals, len(matches.ids))
    for bot, number in sorted(matches.ids.items(), key=lambda item: item[0].version):
        label = names[bot]
        conduct[label].add(matches.conduct[number])
        conduct[label].add(Conduct(*calls[number]))
        if bot.version and bot.version not in versions[label]:
            versions[label].append(bot.version)
    others = [
        (system.name, {rated.bot: rated for rated in found.rated})
        for system, found in zip(systems[1:], ratings[1:], strict=True)
    ]
    return tuple(
        Row(
            rank=rank,
            bot=rated.bot,
            version=", ".join(versions[rated.bot]),
            rated=rated,
            statistics=statistics[rated.bot],
            conduct=conduct[rated.bot],
            others={name: found[rated.bot] for name, found in others if rated.bot in found},
        )
        for rated, rank in _ranked(ratings[0])
    )


def _ranked(ratings: Ratings) -> list[tuple[Rated, int]]:
    """Every bot with its rank in its group; equal figures share a rank."""
    figures = {rated.bot: rated.elo for rated in ratings.rated}
    group_of = {bot: group for group in ratings.components for bot in group}
    return [
        (rated, 1 + sum(figures[bot] > rated.elo for bot in group_of[rated.bot]))
        for rated in ratings.rated
    ]


def choose_systems(names: str, known: dict[str, Rating]) -> tuple[Rating, ...]:
    """The rating systems of a list `a,b`, in its order; raises ConfigError for an unknown one."""
    chosen = dict.fromkeys(name.strip() for name in names.split(",") if name.strip())
    if not chosen:
        raise ConfigError("no rating system is named", where="--rating", mend="write --rating elo")
    return tuple(pick(known, name, "rating") for name in chosen)
