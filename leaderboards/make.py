"""Makes the boards of the folders beside this file anew, each from its tournament file.

python leaderboards/make.py NAME…      (all of them without a name)
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from arena.ratings.elo import BatchElo
from arena.report.api import Screen
from arena.report.json_board import JsonFormat, dump
from arena.report.leaderboard import build_leaderboard
from arena.report.markdown import MarkdownFormat
from arena.report.matches import Matches
from arena.report.plot import draw_board
from arena.report.record_source import read_run

HERE = Path(__file__).parent
RUNS = HERE.parent / "runs" / "leaderboards"


def make(folder: Path) -> None:
    """Plays the folder's tournament, or the rest of it, and writes its board."""
    tournament = folder / "tournament.toml"
    run = RUNS / folder.name
    digest = hashlib.sha256(tournament.read_bytes()).hexdigest()
    _forget_other_run(run, digest)
    command = [sys.executable, "-m", "arena", "run", str(tournament), "--out", str(run)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    matches = Matches()
    matches.gather(read_run(run))
    board = build_leaderboard(matches, [BatchElo()])
    (folder / "board.md").write_text(MarkdownFormat().render(board, Screen()), encoding="utf-8")
    (folder / "board.json").write_text(JsonFormat().render(board, Screen()), encoding="utf-8")
    draw_board(board, folder / "board.svg")
    (folder / "made-from.json").write_text(dump(_made_from(digest, matches)), encoding="utf-8")


def _forget_other_run(run: Path, digest: str) -> None:
    """Removes a run of another version of the tournament file, which cannot be gone on with."""
    mark = run / "tournament.sha256"
    if run.exists() and (not mark.exists() or mark.read_text() != digest):
        shutil.rmtree(run)
    run.mkdir(parents=True, exist_ok=True)
    mark.write_text(digest)


def _made_from(digest: str, matches: Matches) -> dict[str, Any]:
    bots = sorted(matches.ids, key=lambda bot: bot.name)
    return {
        "tournament_sha256": digest,
        "bots": {bot.name: {"version": bot.version, "digest": bot.digest} for bot in bots},
    }


def main() -> None:
    """Makes the boards that are named, or all."""
    names = sys.argv[1:] or sorted(path.parent.name for path in HERE.glob("*/tournament.toml"))
    for name in names:
        make(HERE / name)


if __name__ == "__main__":
    main()
