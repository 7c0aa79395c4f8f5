"""Servers for the interface of the 2022 tournament, as bots in the real sandbox."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena import plugins
from arena.records import MatchRecord
from arena.tournament.config import check_tournament
from arena.tournament.prepare import prepare
from arena.tournament.single import play_single

SERVERS = Path(__file__).with_name("servers")


@pytest.fixture(scope="session")
def manager():
    return plugins.build_manager(entry_points=False)


@pytest.fixture(scope="session")
def cache(cache) -> Path:
    """Where the command too keeps what it built."""
    return cache / "callbreak-arena"


@pytest.fixture(scope="session")
def frameworks(made_once) -> Path:
    """A folder with a web framework, prepared as the guide says."""

    def install(folder: Path) -> None:
        pip = [sys.executable, "-m", "pip", "install", "-q", "--no-compile"]
        command = [*pip, "--target", str(folder), "flask>=3"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    return made_once("frameworks", install)


@pytest.fixture
def server(tmp_path, request) -> Callable[..., str]:
    """Writes the folder of a server and gives what names it on a command line."""

    def write(name: str, kind: str = "plain", *, settings: str = "", env: str = "") -> str:
        folder = tmp_path / name
        shutil.copytree(SERVERS / ("node" if kind == "node" else "python"), folder)
        run = '["node", "src/index.js"]' if kind == "node" else f'["python3", "{kind}_app.py"]'
        if kind == "flask":
            shutil.copytree(request.getfixturevalue("frameworks"), folder / "packages")
            settings += '\npython_packages = ["packages"]'
        lines = [f'name = "{name}"', 'version = "1"', f"run = {run}", 'adapter = "bhoos"']
        (folder / "bot.toml").write_text("\n".join([*lines, env, "[bhoos]", settings]))
        return str(folder)

    return write


@pytest.fixture
def play(manager, cache) -> Callable[..., MatchRecord]:
    """Plays one match of four bots, sandboxed; keywords change sections of its file."""

    def play(bots: list[str], variant: str = "bhoos", deals: int = 1, **sections) -> MatchRecord:
        game = {"variant": variant, "deals": deals}
        content = {"bots": bots, "seed": "7", "game": game, **sections}
        file = check_tournament(content, where="test")
        return play_single(prepare(file, manager, cache=cache, twins=True))

    return play
