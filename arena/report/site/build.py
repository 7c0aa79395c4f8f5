"""A run, or any records, turned into a folder of pages.

One pass over the records feeds the board, the facts of the bots and the files of records; then the
pages are written. Memory holds the rows of the index and the facts, never all records.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from arena.errors import ConfigError, writing
from arena.games.api import Game
from arena.ratings.api import Rating
from arena.records import BotId
from arena.report.board_grid import board_grid
from arena.report.identity import name_bots
from arena.report.leaderboard import Leaderboard, build_leaderboard
from arena.report.matches import Matches
from arena.report.record_check import UnfitError, check_record
from arena.report.record_source import BadLine, Located, refuse_bad_lines
from arena.report.site.about import Site, describe_site
from arena.report.site.board_page import board_context
from arena.report.site.bot_page import bot_context
from arena.report.site.facts import Facts
from arena.report.site.head_to_head import (
    CYCLES_SHOWN,
    Meetings,
    cycle_steps,
    heat_rows,
    meetings_of,
)
from arena.report.site.page_names import page_names
from arena.report.site.pages import Pages
from arena.report.site.record_files import RecordFiles
from arena.words import counted

MARK = ".arena-site"
"""A file in every folder of pages: what holds it may be written over."""

VARIANTS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Source:
    """What is shown: a title, records with their places, and the run's header if there is one."""

    title: str
    records: Iterable[Located]
    header: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Built:
    """What was written: bots, matches in all, matches in the pages, lines that were no record."""

    bots: int
    matches: int
    kept: int
    bad: Sequence[BadLine]


def build_site(
    source: Source,
    out: Path,
    *,
    systems: Sequence[Rating],
    games: Mapping[str, Game],
    keep: int = 20_000,
    skip_bad: bool = False,
) -> Built:
    """Writes the pages. `keep` bounds the matches whose records are in them; the board has all.

    Raises ConfigError if the folder holds anything but earlier pages, if there is nothing to show,
    or, without `skip_bad`, if a line is no record.
    """
    _prepare(out)
    gathered = _gather(source.records, RecordFiles(out / "data", keep))
    if not skip_bad:
        refuse_bad_lines(gathered.matches.bad)
    if not gathered.matches.played:
        raise ConfigError("there is no finished match to show", where=source.title)
    labels = name_bots(gathered.matches.ids)
    board = build_leaderboard(gathered.matches, systems, names=labels)
    _write(source, gathered, board, labels, out, games)
    return Built(
        bots=len(board.rows),
        matches=board.matches,
        kept=gathered.files.kept,
        bad=gathered.matches.bad,
    )


@dataclass(frozen=True, slots=True)
class _Gathered:
    matches: Matches
    facts: Facts
    files: RecordFiles
    variants: Sequence[tuple[str, Mapping[str, Any]]]


def _gather(records: Iterable[Located], files: RecordFiles) -> _Gathered:
    matches, facts = Matches(), Facts()
    variants: dict[bytes, tuple[str, Mapping[str, Any]]] = {}
    for located in records:
        before = len(matches.played)
        matches.gather([located])
        if isinstance(located, BadLine) or len(matches.played) == before:
            continue
        record = located[1]
        try:
            checked = check_record(record)
        except UnfitError:  # `gather` took it a moment ago
            continue
        facts.add(record, checked, files.add(record, checked))
        _note_variant(variants, record)
    return _Gathered(matches, facts, files, list(variants.values()))


def _note_variant(
    variants: dict[bytes, tuple[str, Mapping[str, Any]]], record: Mapping[str, Any]
) -> None:
    variant = record.get("variant")
    if len(variants) < VARIANTS_SHOWN and isinstance(variant, dict):
        variants.setdefault(orjson.dumps(variant), (str(record.get("game", "")), variant))


def _write(
    source: Source,
    gathered: _Gathered,
    board: Leaderboard,
    labels: Mapping[BotId, str],
    out: Path,
    games: Mapping[str, Game],
) -> None:
    pages = page_names(row.bot for row in board.rows)
    gathered.files.close(labels)
    gathered.files.write_site({bot: pages[label] for bot, label in labels.items()})
    grid = board_grid(board)
    site = _frame(source, gathered, board, grid.notes[0], games)
    writer = Pages(out, {"site": site})
    writer.copy_assets()
    meetings = meetings_of(board)
    languages = _languages(source.header, labels)
    writer.write(
        "index.html",
        "board.html",
        footnotes=grid.notes[1:],
        **board_context(board, grid, pages, languages),
    )
    writer.write("matches.html", "matches.html")
    writer.write("replay.html", "replay.html")
    _write_heads(writer, board, meetings, pages)
    _write_bots(writer, gathered, board, meetings, pages, labels, languages)


def _frame(
    source: Source, gathered: _Gathered, board: Leaderboard, size: str, games: Mapping[str, Game]
) -> Site:
    kept = gathered.files.kept
    part_of = (
        f"The figures count all {board.matches:,} matches; "
        f"{counted(kept, 'of them is', 'of them are')} in these pages."
        if kept < board.matches
        else ""
    )
    return describe_site(
        source.header,
        title=source.title,
        size=size,
        part_of=part_of,
        variants=gathered.variants,
        games=games,
    )


def _write_heads(
    writer: Pages, board: Leaderboard, meetings: Meetings, pages: Mapping[str, str]
) -> None:
    names, rows = heat_rows(board, meetings, pages)
    writer.write(
        "head-to-head.html",
        "head_to_head.html",
        names=names,
        rows=rows,
        left_out=len(board.rows) - len(names),
        any_flag=any(meeting.is_surprise for meeting in meetings.values()),
        cycles=cycle_steps(board, meetings, pages),
        more_cycles=max(0, len(board.cycles) - CYCLES_SHOWN),
    )


def _write_bots(
    writer: Pages,
    gathered: _Gathered,
    board: Leaderboard,
    meetings: Meetings,
    pages: Mapping[str, str],
    labels: Mapping[BotId, str],
    languages: Mapping[str, str],
) -> None:
    bots = {label: bot for bot, label in labels.items()}
    for row in board.rows:
        context = bot_context(
            row,
            bots[row.bot],
            gathered.facts.bots[bots[row.bot]],
            board=board,
            meetings=meetings,
            pages=pages,
            labels=labels,
            language=languages.get(row.bot, ""),
        )
        writer.write(pages[row.bot], "bot.html", **context)


def _languages(header: Mapping[str, Any], labels: Mapping[BotId, str]) -> dict[str, str]:
    """Languages by the board's name, as far as the run's header tells."""
    told = header.get("bots")
    known = {
        (str(bot.get("bot")), str(bot.get("digest"))): str(bot.get("language", ""))
        for bot in (told if isinstance(told, list) else ())
        if isinstance(bot, Mapping)
    }
    return {label: known.get((bot.name, bot.digest), "") for bot, label in labels.items()}


def _prepare(out: Path) -> None:
    """An empty folder of pages; what earlier pages left is removed, and nothing else."""
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
        if any(out.iterdir()) and not (out / MARK).is_file():
            raise ConfigError(
                "the folder is not empty and holds no pages of ours",
                where=str(out),
                mend="choose another --out, or empty it",
            )
        (out / MARK).touch()
        for folder, pattern in (("data", "*.js"), ("bots", "*.html"), ("assets", "*")):
            (out / folder).mkdir(exist_ok=True)
            for old in (out / folder).glob(pattern):
                old.unlink()
