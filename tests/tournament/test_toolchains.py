"""A listed toolchain shows bots nothing of a run, and belongs to the settings of a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bots.bundled import bundled_bots
from arena.bots.resolve import resolve
from arena.bots.toolchain import Host, missing_toolchain
from arena.errors import ConfigError, StoreError
from arena.store import RunStore
from arena.tournament.prepare import Tournament
from arena.tournament.runner import Stop
from tests.tournament.played import BOTS, make, play


@pytest.fixture
def listing(manager, tmp_path: Path) -> Callable[..., Tournament]:
    """Makes a tournament with these toolchains; its cache is `cache`, its own bot `mine/bot`."""
    bot = tmp_path / "mine" / "bot"
    bot.mkdir(parents=True)
    (bot / "bot.toml").write_text('name = "own"\nversion = "1"\nrun = ["./run"]\n')
    (bot / "run").write_text("#!/bin/sh\n")
    (bot / "run").chmod(0o755)
    (tmp_path / "alone").mkdir()
    (tmp_path / "alone" / "bot.py").write_text("")

    def listing(*toolchains: str, bots: list[str] = BOTS) -> Tournament:
        folders = [str(tmp_path / each) for each in toolchains]
        for folder in folders:
            Path(folder).mkdir(parents=True, exist_ok=True)
        sandbox = {"toolchains": folders}
        return make(manager, tmp_path / "cache", tmp_path, bots=bots, sandbox=sandbox)

    return listing


@pytest.mark.parametrize(
    ("toolchain", "bot", "words"),
    [
        (".", "random", r"holds the cache"),
        ("cache", "random", r"holds the cache"),
        ("cache/bots", "random", r"lies in the cache"),
        ("mine", "mine/bot", r"holds the bot own"),
        ("mine/bot", "mine/bot", r"holds the bot own"),
        ("alone", "alone/bot.py", r"holds the bot bot"),
        ("linked", "mine/bot", r"holds the bot own"),
    ],
)
def test_a_toolchain_shows_neither_the_cache_nor_a_bot(
    listing, tmp_path: Path, toolchain: str, bot: str, words: str
):
    (tmp_path / "linked").symlink_to("mine")
    with pytest.raises(ConfigError, match=words) as refused:
        listing(toolchain, bots=[*BOTS, bot])
    assert "\n" not in str(refused.value)
    assert "list a folder with an installation in it" in refused.value.mend


@pytest.mark.parametrize("toolchain", ["runs", "runs/it", "runs/it/tools"])
def test_a_toolchain_shows_nothing_of_the_run_folder(listing, tmp_path: Path, toolchain: str):
    tournament = listing(toolchain)
    with pytest.raises(ConfigError, match="the run folder"):
        play(tournament, tmp_path / "runs" / "it")


def test_a_folder_beside_them_and_one_inside_a_bot_are_fine(listing, tmp_path: Path):
    listing("tools", "mine/bot/venv", bots=[*BOTS, "mine/bot"])
    assert bundled_bots().is_dir()


def test_a_run_is_not_continued_with_other_toolchains(listing, tmp_path: Path):
    play(listing("tools"), tmp_path / "run", stop=Stop(asked=True))
    with RunStore.read(tmp_path / "run") as store:
        assert store.header()["toolchains"] == [str(tmp_path / "tools")]
    play(listing("tools"), tmp_path / "run", stop=Stop(asked=True))
    for others in ((), ("tools", "more")):
        with pytest.raises(StoreError, match="toolchains was"):
            play(listing(*others), tmp_path / "run")


def test_a_run_that_was_begun_before_there_was_a_list_goes_on_without_one(listing, tmp_path: Path):
    play(listing(), tmp_path / "run", stop=Stop(asked=True))
    with RunStore.open(tmp_path / "run") as store:
        old = {key: value for key, value in store.header().items() if key != "toolchains"}
    with RunStore.create(tmp_path / "old", old):
        pass
    play(listing(), tmp_path / "old", stop=Stop(asked=True))
    with pytest.raises(StoreError, match=r"toolchains was \[\], is now"):
        play(listing("tools"), tmp_path / "old")


def test_a_program_of_an_image_is_not_looked_for_on_this_machine(listing):
    bot = replace(resolve("random", bundled_bots()), image="localhost/its:1")
    inside, nowhere = replace(bot, run=("/opt/its/bin/program",)), Host(images=True)
    assert missing_toolchain(inside, nowhere) is None
    assert missing_toolchain(replace(inside, run=("its-own",)), nowhere) is None
    assert missing_toolchain(inside, Host()) is not None  # `image` is for containers alone
    assert missing_toolchain(replace(inside, image=""), nowhere) is not None
    assert missing_toolchain(replace(inside, build=("no-such-make",)), nowhere) is not None
