"""What a finished run leaves: the board on screen, and files beside the records."""

from __future__ import annotations

import sys
from pathlib import Path

import pluggy

from arena import plugins
from arena.cli.board import screen
from arena.cli.output import write_text
from arena.cli.play_run import COMMITMENT, SEED
from arena.report.api import Screen
from arena.report.leaderboard import build_leaderboard
from arena.report.matches import Matches
from arena.report.shares import gather_from
from arena.tournament.config import TournamentFile
from arena.tournament.folder import TRANSCRIPTS

FILES = {"md": "board.md", "json": "board.json", "csv": "board.csv"}
"""Formats written into the run folder."""


def left_by(file: TournamentFile) -> tuple[str, ...]:
    """What a run of the tournament leaves in its folder beside the store's own files."""
    published = (COMMITMENT, SEED) if file.run.publish_seed else ()
    transcripts = (TRANSCRIPTS,) if file.run.transcripts else ()
    return *FILES.values(), *published, *transcripts


def leave_results(folder: Path, manager: pluggy.PluginManager, *, board: bool = True) -> None:
    """Writes the board's files into the run folder, prints it, and names what was left there."""
    formats = plugins.report_formats(manager)
    matches = Matches()
    gather_from(folder, matches)
    found = build_leaderboard(matches, [plugins.ratings(manager)["elo"]])
    for name, file in FILES.items():
        write_text(formats[name].render(found, Screen()), folder / file)
    if board:
        sys.stdout.write(formats["table"].render(found, screen()))
    written = ", ".join(FILES.values())
    print(f"\nleft in {folder}: run.sqlite (every match), {written}", file=sys.stderr)
