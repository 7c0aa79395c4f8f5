"""A regression test from what was typed to its verdict.

Candidate, base and field are prepared as the bots of a tournament and play its matches through
the same runner, executor and run folder; the schedule is that of paired sets, and a judge listens
and asks for the end. Without a folder of its own the run is kept in a temporary one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import pluggy

from arena.bots.bot import Bot
from arena.bots.build import BuildError
from arena.bots.git import check_out, is_revision
from arena.errors import ConfigError, SandboxError, StoreError
from arena.games.api import BoundedGame
from arena.regress.summary import Setting, Summary, summarise
from arena.regress.terms import Terms
from arena.regress.trial import Trial
from arena.regress.verdict import Ending, Outcome
from arena.scratch import scratch_folder
from arena.store import RunStore
from arena.tournament.config import check_tournament, override
from arena.tournament.folder import open_run
from arena.tournament.judge import Judge, Rules
from arena.tournament.paired import PairedSchedule
from arena.tournament.plan import Outcome as Played
from arena.tournament.plan import Segment
from arena.tournament.prepare import Tournament, prepare
from arena.tournament.runner import ATTEMPTS, Stop, run

_FOLLOWING = frozenset({"span", "guarded"})
"""Terms that follow from the variant: an earlier version may have bounded them less tightly."""

_ROOM = 2.0
"""How far beyond the hypotheses a guarded loss must reach, as a factor."""

DEALS = 1
"""Deals a match, unless told otherwise: fresh cards tell more than further deals of a match."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to test. Bots as a person types them; `settings` as for `config.override`.

    `terms.span` is overwritten by what the variant allows. `notes` are shown in reports.
    """

    candidate: str
    base: str
    terms: Terms
    others: tuple[str, ...] = ()
    time_tolerance: float | None = None
    settings: tuple[tuple[str, Any], ...] = ()
    notes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Regression:
    """A test that can be played."""

    tournament: Tournament
    setting: Setting
    rules: Rules


@contextmanager
def with_revisions(request: Request, *, repository: Path) -> Iterator[Request]:
    """The request with bots at a git revision written out for a while, and their commits noted.

    Raises ConfigError for a revision that is not there.
    """
    typed = (request.candidate, request.base, *request.others)
    if not any(map(is_revision, typed)):
        yield request
        return
    with scratch_folder("revisions") as folder:
        yield _written_out(request, typed, folder, repository)


def _written_out(
    request: Request, typed: tuple[str, ...], folder: Path, repository: Path
) -> Request:
    bots, notes = [], []
    for number, text in enumerate(typed):
        if not is_revision(text):
            bots.append(text)
            continue
        place = folder / str(number)
        place.mkdir()
        found = check_out(text, place, repository=repository)
        bots.append(found.text)
        notes.append((text, f"commit {found.commit}"))
    candidate, base, *others = bots
    return replace(
        request,
        candidate=candidate,
        base=base,
        others=tuple(others),
        notes=(*request.notes, *notes),
    )


def prepare_regression(
    request: Request, manager: pluggy.PluginManager, *, cache: Path, seed: str | None = None
) -> Regression | Summary:
    """The test, ready to play; or its verdict already, if the candidate cannot be built.

    `seed` is that of a run folder to go on with. Raises ArenaError for whatever else is wrong, a
    base that cannot be built included.
    """
    pair, others = [request.candidate, request.base], list(request.others)
    try:
        tournament = _prepare([*pair, *others, *others], request, manager, cache, seed)
    except BuildError as error:
        # If all is well without it, it was the candidate that could not be built.
        _prepare([request.base, *others], request, manager, cache, seed)
        setting = Setting(
            candidate=request.candidate,
            base=request.base,
            terms=request.terms,
            deals=DEALS,
            elo_deals=DEALS,
            others=request.others,
            details=request.notes,
        )
        return summarise(setting, Trial(), Ending(Outcome.BUILD_BROKEN, str(error)))
    return _regression(request, tournament)


def _prepare(
    bots: list[str],
    request: Request,
    manager: pluggy.PluginManager,
    cache: Path,
    seed: str | None,
) -> Tournament:
    content = {
        "name": "regress",
        "bots": bots,
        "game": {"deals": DEALS},
        "limits": {"on_host_stall": "void"},
        "run": {"hide_names": True},  # nobody shall play otherwise because of a name
    }
    file = check_tournament(override(content, dict(request.settings)), where="regress")
    return prepare(file, manager, seed=seed, cache=cache, twins=True)


def _regression(request: Request, tournament: Tournament) -> Regression:
    plan, field = tournament.plan, len(request.others)
    deals = tournament.game.deals_of(plan.variant)
    terms = _bounded(request.terms, tournament, field, deals)
    candidate, base, *others = plan.bots
    setting = Setting(
        candidate=_label(candidate),
        base=_label(base),
        terms=terms,
        deals=deals,
        elo_deals=_elo_deals(request, tournament),
        others=tuple(map(_label, others[:field])),
        details=(*request.notes, ("seed", tournament.seed), ("sandbox", plan.sandbox)),
    )
    return Regression(
        tournament=replace(
            tournament,
            schedule=PairedSchedule(field),
            segments=(Segment(len(plan.bots), request.terms.max_sets),),
        ),
        setting=setting,
        rules=Rules(
            terms=terms,
            field=field,
            deals=deals,
            names=tuple(bot.name for bot in plan.bots),
            time_tolerance=request.time_tolerance,
            seats=tournament.seats,
        ),
    )


def _label(bot: Bot) -> str:
    return f"{bot.name} {bot.id.version} ({bot.id.digest[:8]})"


def _elo_deals(request: Request, tournament: Tournament) -> int:
    """The match length for Elo: the one asked for, else that of the variant's own matches."""
    asked = dict(request.settings).get("game.deals")
    game = tournament.game
    return asked or game.deals_of(game.variant(tournament.plan.variant["name"]))


def _bounded(terms: Terms, tournament: Tournament, field: int, deals: int) -> Terms:
    """The terms with what the game says about how far the difference of a set can leave zero.

    A rare loss is one of a deal, and counts for less in a longer match. Of a game that does not say
    it the strict test cannot be had; the default one goes by the points of Callbreak.
    """
    game, narrowest = tournament.game, max(-terms.m0, terms.m1) * _ROOM
    guarded = max(terms.guarded / deals, narrowest)
    if isinstance(game, BoundedGame):
        span = game.span(tournament.plan.variant, duel=not field)
        return replace(terms, span=span, guarded=min(guarded, span))
    if terms.strict:
        raise ConfigError(
            f"the strict test needs to know how far scores can differ, and the game {game.name!r} "
            "does not say it",
            mend="leave out --strict",
        )
    return replace(terms, guarded=guarded)


def play_regression(
    regression: Regression,
    folder: Path | None = None,
    *,
    stop: Stop | None = None,
    taken: Callable[[Trial], None] = lambda trial: None,
) -> Summary | None:
    """Plays until the verdict; None if it was stopped before. `taken` hears of every set.

    With a folder the test goes on where it stopped, and ends with the same verdict at the same
    set as if it had not. Raises ArenaError if the matches cannot be played.
    """
    stop = stop or Stop()
    judge = Judge(regression.rules, taken)
    with _run_folder(regression, folder) as store:
        for record in store.records():
            judge.hear(record)
        _play(regression.tournament, store, judge, stop)
    if judge.ending is None:
        return None
    return summarise(regression.setting, judge.trial, judge.ending, judge.move_times.medians())


def _play(tournament: Tournament, store: RunStore, judge: Judge, stop: Stop) -> None:
    """Plays until the verdict or a stop; gives up if one set is void again and again."""
    attempts, at = 0, -1
    while judge.ending is None and not stop.asked:
        attempts, at = (attempts + 1 if judge.trial.sets == at else 1), judge.trial.sets
        listener = _Courtroom(judge, stop)
        run(tournament, store, listener=listener, stop=listener.end)
        if judge.ending is None and not stop.asked and attempts == ATTEMPTS:
            raise SandboxError(
                f"the matches cannot be played: {listener.reason or 'they do not arrive'}",
                mend="mend it and start the same command again",
            )


@contextmanager
def _run_folder(regression: Regression, folder: Path | None) -> Iterator[RunStore]:
    """The run folder, which remembers the terms of the test besides those of the tournament."""
    with ExitStack() as stack:
        if folder is None:
            folder = stack.enter_context(scratch_folder("regress"))
        store, _ = stack.enter_context(open_run(regression.tournament, folder))
        now = asdict(regression.rules.terms)
        begun = store.header().get("test", now)
        for term in now.keys() - _FOLLOWING:
            if begun.get(term) != now[term]:
                raise StoreError(
                    f"this test was begun with {term} {begun.get(term)}, not {now[term]}",
                    where=str(folder),
                    mend="restore it, or choose another --out",
                )
        store.set_header({"test": now})
        yield store


class _Courtroom:
    """Brings the judge what is played, and ends the run at the verdict, a stop or a void match.

    After a void match the run is begun again, so that the gap is filled before more is played.
    """

    def __init__(self, judge: Judge, asked: Stop) -> None:
        self.end = Stop()
        self.reason = ""
        self._judge = judge
        self._asked = asked

    def finished(self, outcome: Played) -> None:
        assert outcome.record is not None
        self._judge.hear(outcome.record.as_dict())
        self.end.asked |= self._asked.asked or self._judge.ending is not None

    def void(self, outcome: Played) -> None:
        self.reason = outcome.void
        self.end.asked = True
